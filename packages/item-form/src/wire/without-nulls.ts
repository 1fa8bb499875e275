type Fields = Readonly<Record<string, unknown>>;

/** An object without the members that are null, within others too: a few servers read one as a wrong value. */
export function withoutNulls(value: object): Fields {
  const kept = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(kept.map(([name, member]) => [name, clean(member)]));
}

function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean);
  return typeof value === "object" && value !== null ? withoutNulls(value) : value;
}
