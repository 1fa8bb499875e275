/** A TOML table as parsed; what its values are is not known yet. */
export type Table = Readonly<Record<string, unknown>>;

/** Whether a TOML value is a table; arrays and dates are not. */
export function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** The names that lead to a value, from the top of the document. */
export type KeyPath = readonly string[];

/** The dotted form, quoted where TOML would quote: `projects."/home/a".trust_level`. */
export function formatKey(path: KeyPath): string {
  return path.map(formatKeyPart).join(".");
}

/** One name of it. */
export function formatKeyPart(part: string): string {
  return /^[\w-]+$/.test(part) ? part : JSON.stringify(part);
}

/** The table that holds nothing but the value at that path. */
export function nestValue([key = "", ...rest]: KeyPath, value: unknown): Table {
  return { [key]: rest.length === 0 ? value : nestValue(rest, value) };
}

/** The table without the value at that path; the same one where there is none. */
export function withoutValue(table: Table, [key = "", ...rest]: KeyPath): Table {
  const { [key]: value, ...others } = table;
  if (rest.length === 0) return others;
  return isTable(value) ? { ...table, [key]: withoutValue(value, rest) } : table;
}

/** The table without the values at those paths; `T` can lack each key. Each table is copied once, however many are removed from it. */
export function withoutValues<T extends object>(table: T, paths: readonly KeyPath[]): T {
  const left = { ...table };
  for (const [key, group] of Map.groupBy(paths, ([first = ""]) => first)) {
    const value: unknown = Object.hasOwn(left, key) ? Reflect.get(left, key) : undefined;
    const below = group.map((path) => path.slice(1));
    if (below.some((path) => path.length === 0)) Reflect.deleteProperty(left, key);
    else if (isTable(value)) Reflect.set(left, key, withoutValues(value, below));
  }
  return left;
}

/** The value at that path, entries of arrays by their number; undefined where there is none. */
export function valueAt(table: object, path: readonly PropertyKey[]): unknown {
  let value: unknown = table;
  for (const part of path) {
    value =
      typeof value === "object" && value !== null && Object.hasOwn(value, part) ? Reflect.get(value, part) : undefined;
  }
  return value;
}

/** Whether the first path is the second, or below it. */
export function isWithin(path: KeyPath, parent: KeyPath): boolean {
  return parent.every((key, index) => path[index] === key);
}

/** Both have the same shape, in which every key may be left out; so has the outcome. Of values the higher one stays. */
export function mergeTables<T extends object>(low: T, high: T): T {
  const merged = { ...low };
  for (const key of Object.keys(high)) {
    const below: unknown = Reflect.get(low, key);
    const above: unknown = Reflect.get(high, key);
    Reflect.set(merged, key, isTable(below) && isTable(above) ? mergeTables(below, above) : above);
  }
  return merged;
}
