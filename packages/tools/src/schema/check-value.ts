import type { InputSchema, SchemaIssue } from "./input-schema.ts";

export type CheckedValue<Output> =
  | { readonly type: "fits"; readonly value: Output }
  /** `faults`: at most five, a line each, with the place (`plan[0].status`) in front. */
  | { readonly type: "misfits"; readonly faults: readonly string[] };

const maxFaults = 5;

/** Checks a value as its schema does, which may also change it (defaults, transforms). */
export async function checkValue<Output>(schema: InputSchema<Output>, value: unknown): Promise<CheckedValue<Output>> {
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return { type: "fits", value: result.value };
  return { type: "misfits", faults: result.issues.slice(0, maxFaults).map(describeIssue) };
}

function describeIssue({ message, path = [] }: SchemaIssue): string {
  const place = path
    .map((part) => (typeof part === "object" ? part.key : part))
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
  return place === "" ? message : `${place}: ${message}`;
}
