/**
 * `create`, once for each key: zod takes about a kilobyte for each part of a schema, and hundreds of threads of a process
 * have the same tools.
 */
export function keepSchemas<Key extends number | boolean | undefined, Schema>(
  create: (key: Key) => Schema,
): (key: Key) => Schema {
  const made = new Map<Key, Schema>();
  return (key) => {
    const schema = made.get(key) ?? create(key);
    made.set(key, schema);
    return schema;
  };
}
