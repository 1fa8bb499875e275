import type { ThreadEvent } from "@unroll/protocol";
import type { z } from "zod";
import { parseArguments } from "./parse-arguments.ts";
import { toParameters } from "./to-parameters.ts";
import type { CallableTool, Concurrency, ToolContext, ToolResult } from "./tool.ts";

export interface ToolDefinition<Schema extends z.ZodObject> {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`. */
  readonly name: string;
  /** For the model: what the tool does and when to use it. */
  readonly description: string;
  /** A `z.strictObject`; the descriptions of its fields go to the model. */
  readonly input: Schema;
  /** A function decides for each call. */
  readonly concurrency: Concurrency | ((input: z.output<Schema>) => Concurrency);
  /** Called once for a call whose arguments fit `input`. What it throws becomes an output and an `error` item. */
  run(input: z.output<Schema>, context: ToolContext): Promise<ToolResult>;
  /** Called when a turn ends: the events that close what the tool left open in it. */
  readonly endTurn?: () => readonly ThreadEvent[];
}

/** A function tool. Its JSON Schema for the model is derived from `input`. */
export function defineTool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): CallableTool {
  const { name, description, input: schema, concurrency, endTurn } = definition;
  return {
    type: "callable",
    name,
    spec: { type: "function", name, description, strict: false, parameters: toParameters(schema) },
    prepare(payload) {
      const parsed = parseArguments(schema, payload);
      if (parsed.type === "rejected") return { type: "call.rejected", message: parsed.message };
      const { input } = parsed;
      return {
        type: "call.ready",
        concurrency: typeof concurrency === "function" ? concurrency(input) : concurrency,
        run: (context) => definition.run(input, context),
      };
    },
    ...(endTurn && { endTurn }),
  };
}
