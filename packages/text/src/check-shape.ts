/** The required kind of a member: a type, or one of these texts. */
export type ShapeKind = "a function" | "a list" | "a number" | "an object" | "text" | readonly string[];

/**
 * Whether a caller whose compiler did not look gave the right thing. Throws a `TypeError` of one sentence that names the call, the place
 * and what is expected there. `shape`: members that have to be there, those within others with a dot (`clock.sleep`); one that ends in `?`
 * may be left out.
 */
export function checkShape(call: string, value: unknown, shape: Readonly<Record<string, ShapeKind>>): void {
  if (!isObject(value)) throw new TypeError(`${call}: ${describeExpected(shape)} is expected.`);
  for (const [name, kind] of Object.entries(shape)) {
    const path = name.replace("?", "");
    const found = path.split(".").reduce(readMember, value);
    if (isOfKind(found, kind) || (found === undefined && path !== name)) continue;
    throw new TypeError(`${call}: ${path}${found === undefined ? " is missing: it" : ""} has to be ${describe(kind)}.`);
  }
}

function describeExpected(shape: Readonly<Record<string, ShapeKind>>): string {
  const needed = Object.keys(shape).filter((path) => !path.endsWith("?"));
  const names = [...new Set(needed.map((path) => path.replace(/\..*/, "")))];
  return names.length === 0 ? "an object" : `an object with ${names.join(", ")}`;
}

function describe(kind: ShapeKind): string {
  return typeof kind === "string" ? kind : `one of ${kind.join(", ")}`;
}

function readMember(value: unknown, key: string): unknown {
  return isObject(value) ? Reflect.get(value, key) : undefined;
}

function isOfKind(value: unknown, kind: ShapeKind): boolean {
  if (typeof kind !== "string") return typeof value === "string" && kind.includes(value);
  switch (kind) {
    case "a function":
      return typeof value === "function";
    case "a list":
      return Array.isArray(value);
    case "a number":
      return typeof value === "number";
    case "an object":
      return isObject(value);
    case "text":
      return typeof value === "string";
  }
}

/** A function has members, too: `Date` is a clock. */
function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
