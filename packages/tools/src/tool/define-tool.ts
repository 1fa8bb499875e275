import type { ThreadEvent } from "@unroll/protocol";
import type { z } from "zod";
import type { Approval } from "../port/call-gate.ts";
import { definePlannedTool } from "./define-planned-tool.ts";
import { planToolCall } from "./plan-tool-call.ts";
import type { CallableTool, Concurrency, ToolAnswer, ToolContext } from "./tool.ts";

export interface ToolDefinition<Schema extends z.ZodObject> {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`. */
  readonly name: string;
  /** For the model: what the tool does and when to use it. */
  readonly description: string;
  /** A `z.strictObject`; the descriptions of its fields go to the model. */
  readonly input: Schema;
  /** A function decides for each call. Absent: `exclusive`. */
  readonly concurrency?: Concurrency | ((input: z.output<Schema>) => Concurrency | Promise<Concurrency>);
  /** Whether a person has to agree to a call; a function decides for each. Absent: `run`. */
  readonly approval?: Approval | ((input: z.output<Schema>) => Approval);
  /**
   * Called once for a call whose arguments fit `input` and that may run. What it throws, and an answer that is none,
   * fails the call and not the turn.
   */
  run(input: z.output<Schema>, context: ToolContext): Promise<ToolAnswer>;
  /** Called when a turn ends: the events that close what the tool left open in it. */
  readonly endTurn?: () => readonly ThreadEvent[];
}

/** A function tool. Its JSON Schema for the model is derived from `input`. */
export function defineTool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): CallableTool {
  const { approval = "run" } = definition;
  return definePlannedTool({
    ...definition,
    plan: async (input) =>
      planToolCall({
        tool: definition.name,
        arguments: input,
        approval: typeof approval === "function" ? approval(input) : approval,
        run: (context) => definition.run(input, context),
      }),
  });
}
