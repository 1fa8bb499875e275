import type { CallableTool, Concurrency, ToolContext, ToolResult } from "./tool.ts";

export interface CustomToolDefinition {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`. */
  readonly name: string;
  /** For the model: what the tool does and when to use it. */
  readonly description: string;
  /** In Lark syntax: the text that the model may write. */
  readonly grammar: string;
  readonly concurrency: Concurrency;
  /** Given the model's text as it came. What it throws becomes an output and an `error` item. */
  run(text: string, context: ToolContext): Promise<ToolResult>;
}

/** A freeform tool: the model writes plain text that follows a grammar, no JSON. */
export function defineCustomTool(definition: CustomToolDefinition): CallableTool {
  const { name, description, grammar, concurrency } = definition;
  return {
    type: "callable",
    name,
    spec: { type: "custom", name, description, format: { type: "grammar", syntax: "lark", definition: grammar } },
    prepare: (text) => ({ type: "call.ready", concurrency, run: (context) => definition.run(text, context) }),
  };
}
