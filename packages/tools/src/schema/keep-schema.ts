/**
 * Gives the schema that `make` makes of a key, made when it is first asked for and the same from then on: making one,
 * compiling its checks and writing it as JSON Schema takes zod longer than all the rest of opening a thread. A `make` that
 * looks at no key makes one schema.
 */
export function keepSchema<Key, Schema>(make: (key: Key) => Schema): (key: Key) => Schema {
  const kept = new Map<Key, Schema>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const schema = make(key);
    kept.set(key, schema);
    return schema;
  };
}
