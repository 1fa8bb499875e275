import { checkShape } from "@unroll/text";
import type { Approval } from "../port/call-gate.ts";
import { checkToolName } from "./define-planned-tool.ts";
import { planToolCall } from "./plan-tool-call.ts";
import type { CallableTool, Concurrency, ToolAnswer, ToolContext } from "./tool.ts";

/** A tool for which the model writes text of a grammar. */
export interface CustomToolDefinition {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`. */
  readonly name: string;
  /** For the model: what the tool does and when to use it. */
  readonly description: string;
  /** In Lark syntax: the text that the model may write. */
  readonly grammar: string;
  /** Absent: `exclusive`. */
  readonly concurrency?: Concurrency;
  /** Whether a person has to agree to each call. Absent: `run`. */
  readonly approval?: Approval | ((text: string) => Approval);
  /**
   * Called with the model's text, unchanged, once the call may run. An exception fails the call,
   * not the turn.
   */
  run(text: string, context: ToolContext): Promise<ToolAnswer>;
}

/** A freeform tool: the model writes plain text that follows a grammar, no JSON. */
export function defineCustomTool(definition: CustomToolDefinition): CallableTool {
  checkShape("defineCustomTool", definition, { name: "text", description: "text", grammar: "text", run: "a function" });
  const { name, description, grammar, concurrency = "exclusive", approval = "run" } = definition;
  checkToolName(name);
  return {
    type: "callable",
    name,
    spec: { type: "custom", name, description, format: { type: "grammar", syntax: "lark", definition: grammar } },
    prepare: (text) => ({
      type: "call.ready",
      concurrency,
      plan: async () =>
        planToolCall({
          tool: name,
          arguments: text,
          approval: typeof approval === "function" ? approval(text) : approval,
          run: (context) => definition.run(text, context),
        }),
    }),
  };
}
