/**
 * A schema as the libraries for them share it: Standard Schema, version 1 (standardschema.dev). zod 4 has it, in every
 * version; what it says of JSON Schema is optional, see `toJsonSchema`.
 */
export interface InputSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    /** Of the library: `zod`, `valibot`, … */
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    /** Only for the compiler. */
    readonly types?: { readonly output: Output } | undefined;
  };
}

/** What a schema gives for a value: the checked one, or what is wrong with it. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
