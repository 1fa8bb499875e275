/** A JSON Schema object, as the Responses API takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A tool as the model sees it, in the shape of the wire (`tools[]`). */
export type ToolSpec = FunctionToolSpec | CustomToolSpec | WebSearchToolSpec;

/** A function tool as a request lists it; as of the Responses API (`tools`). */
export interface FunctionToolSpec {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly strict: boolean;
  readonly parameters: JsonSchema;
}
/** A freeform tool; its input is text that follows the grammar. */
export interface CustomToolSpec {
  readonly type: "custom";
  readonly name: string;
  readonly description: string;
  readonly format: { readonly type: "grammar"; readonly syntax: "lark"; readonly definition: string };
}
/** Hosted by the provider. `external_web_access: false` searches the provider's cache only. */
export interface WebSearchToolSpec {
  readonly type: "web_search";
  readonly external_web_access: boolean;
}
