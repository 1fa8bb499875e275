/** The same data with every string in it masked, names of fields too; the very same where nothing was to be masked. */
export function maskStrings<Value>(value: Value, mask: (text: string) => string): Value;
export function maskStrings(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const masked = list.map((each) => maskStrings(each, mask));
    return masked.some((each, index) => each !== list[index]) ? masked : list;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  const masked = entries.map(([name, each]) => [mask(name), maskStrings(each, mask)] as const);
  const isSame = masked.every(([name, each], index) => name === entries[index]?.[0] && each === entries[index][1]);
  return isSame ? value : Object.defineProperties(Object.fromEntries(masked), pickSymbols(value));
}

/** What is kept beside the data: who wrote a message, why a call cannot run. */
function pickSymbols(value: Readonly<Record<PropertyKey, unknown>>): PropertyDescriptorMap {
  const names = Object.getOwnPropertySymbols(value);
  return Object.fromEntries(names.map((name) => [name, { value: value[name] }]));
}

function isRecord(value: unknown): value is Record<PropertyKey, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
