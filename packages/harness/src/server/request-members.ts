import type { RefusedMember } from "@unroll/config";
import { type RequestHead, toRequestHead } from "@unroll/protocol";

/** Members of a request, by name. */
export type Members = Readonly<Record<string, unknown>>;

/** The same head if it has none of the members. */
export function leaveOutOfHead(head: RequestHead, omitted: readonly RefusedMember[]): RequestHead {
  const kept = omitMembers(head.fields, omitted);
  return kept === head.fields ? head : toRequestHead(kept);
}

/** Deeper members are useless without their neighbours. */
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
