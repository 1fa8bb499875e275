import type { RefusedMember } from "@unroll/config";

/** Members of a request, by name. */
export type Members = Readonly<Record<string, unknown>>;

const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];

/** What stands in front of a request's input. */
export function parseHead(head: Uint8Array): Members {
  return parseMembers(`${decoder.decode(head)}]}`, "input");
}

/** The same bytes where none of the members is there. */
export function leaveOutOfHead(head: Uint8Array, omitted: readonly RefusedMember[]): Uint8Array {
  if (omitted.length === 0) return head;
  const members = parseHead(head);
  const kept = omitMembers(members, omitted);
  return kept === members ? head : encodeHead(kept);
}

export function encodeHead(members: Members): Uint8Array {
  return encoder.encode(`${JSON.stringify(members).slice(0, -1)},"input":[`);
}

/** What stands behind it, of the bytes that follow the last item. */
export function parseTail(tail: Uint8Array): Members {
  return parseMembers(`{"input":[${decoder.decode(tail)}`, "input");
}

export function encodeTail(members: Members): Uint8Array {
  const rest = JSON.stringify(members).slice(1);
  return encoder.encode(rest === "}" ? "]}" : `],${rest}`);
}

function parseMembers(json: string, input: string): Members {
  const value: unknown = JSON.parse(json);
  if (!isObject(value)) return {};
  const { [input]: _, ...members } = value;
  return members;
}

/** Deeper ones are of no use without what stands beside them. */
const mostDepth = 2;

/**
 * The member that is meant by a path which a server names, with its value where that is a text, a number or a truth: where there is
 * none, the one that it would stand in. Null: there is neither.
 */
export function findMember(members: Members, path: string): RefusedMember | null {
  const names: string[] = [];
  let value: unknown = members;
  for (const name of path.split(".").slice(0, mostDepth)) {
    if (!isObject(value) || !Object.hasOwn(value, name)) break;
    names.push(name);
    value = value[name];
  }
  if (names.length === 0) return null;
  const found = names.join(".");
  return isScalar(value) ? { path: found, value } : { path: found };
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Without those members; one that is empty then goes, too. The same object where none of them is there. */
export function omitMembers(members: Members, omitted: readonly RefusedMember[]): Members {
  return omitted.reduce(omitMember, members);
}

function omitMember(members: Members, { path, value }: RefusedMember): Members {
  const [name = "", ...rest] = path.split(".");
  if (!Object.hasOwn(members, name)) return members;
  const own = members[name];
  const { [name]: _, ...others } = members;
  if (rest.length === 0) return value === undefined || value === own ? others : members;
  if (!isObject(own)) return members;
  const left = omitMember(own, { path: rest.join("."), ...(value !== undefined && { value }) });
  if (left === own) return members;
  return Object.keys(left).length === 0 ? others : { ...members, [name]: left };
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
