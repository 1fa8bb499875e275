import * as z from "zod";

/** Makes a schema, or gives the one that it made before. */
export type LateSchema = () => z.ZodType;

type Made<Keys extends Readonly<Record<string, LateSchema>>> = z.ZodObject<
  { [Key in keyof Keys]: ReturnType<Keys[Key]> },
  z.core.$strict
>;

/**
 * A strict table of these keys, each of which may be left out: of all, or of those that `value` has. The two say the same of
 * `value`, whose other keys are unknown to both.
 */
export function makeTable<Keys extends Readonly<Record<string, LateSchema>>>(keys: Keys, value?: object): Made<Keys>;
export function makeTable(keys: Readonly<Record<string, LateSchema>>, value?: object): z.ZodObject {
  const used = Object.entries(keys).filter(([key]) => value === undefined || Object.hasOwn(value, key));
  return z.strictObject(Object.fromEntries(used.map(([key, make]) => [key, make()])));
}
