import * as z from "zod";
import { isJsonObject } from "../json.ts";

/**
 * A union told apart by which key an object has; the first key in the table that is there decides. Unlike `z.union` it
 * reports what is wrong with the one alternative that was meant.
 */
export function byKey<Value>(alternatives: Readonly<Record<string, z.ZodType<Value>>>): z.ZodType<Value> {
  const keys = Object.keys(alternatives);
  return z.unknown().transform((value, context) => {
    const key = isJsonObject(value) ? keys.find((candidate) => candidate in value) : undefined;
    const parsed = key === undefined ? undefined : alternatives[key]?.safeParse(value);
    if (parsed?.success) return parsed.data;
    const problems = parsed?.error.issues ?? [
      { path: [], message: `expected an object with one of the keys ${keys.join(", ")}` },
    ];
    context.issues.push(
      ...problems.map(({ path, message }) => ({ code: "custom" as const, path, message, input: value })),
    );
    return z.NEVER;
  });
}
