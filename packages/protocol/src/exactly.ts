import type * as z from "zod";

/** Takes a schema whose values are those of `T`, no fewer and no more; anything else is a type error. */
export function exactly<T>(): <Schema extends z.ZodType<T>>(
  schema: Schema & (T extends z.infer<Schema> ? unknown : "the schema does not take all values"),
) => z.ZodType<T> {
  return (schema) => schema;
}
