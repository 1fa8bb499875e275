import { findRestraint, isRestrainingValue, isRestraint } from "@unroll/protocol";
import { formatPlace, shortenText } from "@unroll/text";

/** The part of JSON Schema that says which members a value may have. */
export interface MemberSchema {
  readonly properties?: Readonly<Record<string, MemberSchema>>;
  /** A schema: the value may have members of any name. */
  readonly additionalProperties?: MemberSchema | boolean;
  readonly items?: MemberSchema;
  readonly anyOf?: readonly MemberSchema[];
  readonly oneOf?: readonly MemberSchema[];
  readonly type?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
}

/** Members of a request that its schema does not have. */
export interface CheckedMembers {
  /** Why the request is refused; null: no unknown member restrains anything. */
  readonly fault: string | null;
  /** The places of the others, which are ignored: `input[0].extra`. */
  readonly others: readonly string[];
}

/** Whether the value of a restraint asks for no more than the program does by itself. `place`: dotted, without numbers. */
type IsKept = (place: string, value: unknown) => boolean;

/**
 * Looks for members that a request's schema does not have. One that restrains the model, by its own name or that of a
 * member around or in it, is a fault; null asks for nothing.
 */
export function checkMembers(value: unknown, schema: MemberSchema, isKept: IsKept = () => false): CheckedMembers {
  const unknown = listUnknown({ value, path: [] }, schema).filter((member) => {
    const names = member.path.filter((part) => typeof part === "string");
    return member.value !== null && member.value !== undefined && !isKept(names.join("."), member.value);
  });
  const [first] = unknown.flatMap(toRestraint);
  return {
    fault: first === undefined ? null : describeRestraint(first, value),
    others: unknown.filter(({ value: own }) => own !== false).map(({ path }) => formatPlace(path)),
  };
}

/** Why the restraint at that place of a value is refused. */
export function describeRestraint(path: Path, value: unknown): string {
  const below = path.reduce<unknown>((each, part) => Reflect.get(Object(each), part), value);
  const shown = shortenText(JSON.stringify(below), 80);
  return `${formatPlace(path)}: unroll does not know this limit (${shown}) and does not start without it: correct its name, or leave it out.`;
}

type Path = readonly (string | number)[];

interface Member {
  readonly path: Path;
  readonly value: unknown;
}

/** The path to the part of an unknown member that restrains; empty: none does. */
function toRestraint({ path, value }: Member): readonly Path[] {
  if (path.some((part) => typeof part === "string" && isRestraint(part))) return [path];
  if (isRestrainingValue(String(path.at(-1)), value)) return [path];
  const inside = findRestraint(value);
  return inside === null ? [] : [[...path, ...inside]];
}

function listUnknown({ value, path }: Member, schema: MemberSchema): readonly Member[] {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    // of a value that fits none, the check of its form says so
    const found = choices.filter((choice) => fits(value, choice)).map((choice) => listUnknown({ value, path }, choice));
    return found.toSorted((a, b) => a.length - b.length)[0] ?? [];
  }
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value))
    return value.flatMap((each: unknown, at) => listUnknown({ value: each, path: [...path, at] }, schema.items ?? {}));
  const { properties, additionalProperties } = schema;
  if (properties === undefined && additionalProperties === undefined) return []; // any value at all
  return Object.entries(value).flatMap(([name, below]: [string, unknown]) => {
    const member = { value: below, path: [...path, name] };
    const own = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    return typeof own === "object" ? listUnknown(member, own) : own === true ? [] : [member];
  });
}

function fits(value: unknown, schema: MemberSchema): boolean {
  const { type, properties = {} } = schema;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (type === "object" && !isObject) return false;
  if (typeof type === "string" && type !== "object" && isObject) return false;
  if (!isObject) return true;
  return Object.entries(properties).every(([name, { const: only, enum: words }]) => {
    const own: unknown = Reflect.get(value, name);
    if (own === undefined) return only === undefined;
    return (only === undefined || own === only) && (words === undefined || words.includes(own));
  });
}
