import { formatPlace } from "@unroll/text";
/**
 * A schema as the libraries for them share it: Standard Schema, version 1 (standardschema.dev). zod 4 has it, in every
 * version; what it says of JSON Schema is optional, see `toJsonSchema`.
 */
export interface InputSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    /** The library, such as `zod` or `valibot`. */
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    /** Only for the compiler. */
    readonly types?: { readonly output: Output } | undefined;
  };
}

/** A schema's result for a value: the checked value, or its errors. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One thing that is wrong with a value, and where; as Standard Schema has it (standardschema.dev). */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A value as its schema gave it back, or what is wrong with it. */
type CheckedValue<Output> =
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
  const place = formatPlace(path.map((part) => (typeof part === "object" ? part.key : part)));
  return place === "" ? message : `${place}: ${message}`;
}
