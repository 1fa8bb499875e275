import type { ThreadEvent } from "@unroll/protocol";
import type { z } from "zod";
import { parseArguments } from "./parse-arguments.ts";
import { toParameters } from "./to-parameters.ts";
import type { CallableTool, Concurrency, PlanContext, PlannedCall, RejectedCall } from "./tool.ts";

/** As a `ToolDefinition`, but for `plan`. */
export interface PlannedToolDefinition<Schema extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  readonly concurrency?: Concurrency | ((input: z.output<Schema>) => Concurrency | Promise<Concurrency>);
  /** As of a `ReadyCall`, for arguments that fit `input`. */
  plan(input: z.output<Schema>, context: PlanContext): Promise<PlannedCall | RejectedCall>;
  readonly endTurn?: () => readonly ThreadEvent[];
}

/** A function tool whose calls are planned before they are judged, or are shown as more than a `tool_call`. */
export function definePlannedTool<Schema extends z.ZodObject>(definition: PlannedToolDefinition<Schema>): CallableTool {
  const { name, description, input: schema, concurrency = "exclusive", endTurn } = definition;
  return {
    type: "callable",
    name,
    spec: { type: "function", name, description, strict: false, parameters: toParameters(schema) },
    async prepare(payload) {
      const parsed = parseArguments(schema, payload);
      if (parsed.type === "rejected") return { type: "call.rejected", message: parsed.message };
      const { input } = parsed;
      return {
        type: "call.ready",
        concurrency: typeof concurrency === "function" ? await concurrency(input) : concurrency,
        plan: (context) => definition.plan(input, context),
      };
    },
    ...(endTurn && { endTurn }),
  };
}
