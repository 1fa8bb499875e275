/** What a value must be: a part of JSON Schema (draft 2020-12), of which `findFaults` knows every word that demands something. */
export interface ValueSchema {
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  readonly enum?: readonly string[];
  /** Words, then a table. */
  readonly anyOf?: readonly [ValueSchema, ValueSchema];
  readonly minLength?: number;
  /** A regular expression. */
  readonly pattern?: string;
  readonly format?: "date";
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly items?: ValueSchema;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: ValueSchema;
  readonly additionalProperties?: ValueSchema | false;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly deprecated?: true;
  /** In place of a pattern or a format, for people: what it must be. */
  readonly errorMessage?: string;
}
