import type { JsonSchema } from "@unroll/protocol";
import * as z from "zod";
import { checkToolName } from "./define-planned-tool.ts";
import type { CallableTool, Concurrency, PlanContext, PlannedCall, RejectedCall } from "./tool.ts";

/** A tool whose JSON Schema comes from elsewhere, an MCP server's say. */
interface JsonToolDefinition {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`. */
  readonly name: string;
  readonly description: string;
  /** Goes to the model as it is. */
  readonly parameters: JsonSchema;
  /** Asked when it is called. */
  readonly concurrency: () => Concurrency;
  /** Like `ReadyCall`, for any JSON object: the author of the schema checks it. */
  plan(input: Readonly<Record<string, unknown>>, context: PlanContext): Promise<PlannedCall | RejectedCall>;
}

const objectSchema = z.record(z.string(), z.unknown());

/** A function tool whose JSON Schema comes from somebody else. Empty arguments count as `{}`. */
export function defineJsonTool(definition: JsonToolDefinition): CallableTool {
  const { name, description, parameters, concurrency } = definition;
  checkToolName(name);
  return {
    type: "callable",
    name,
    spec: { type: "function", name, description, strict: false, parameters },
    prepare(payload) {
      const input = parseObject(payload);
      if (input !== null)
        return { type: "call.ready", concurrency, plan: (context) => definition.plan(input, context) };
      const message = "The call was not run: its arguments are no JSON object. Call it again with one JSON object.";
      return { type: "call.rejected", message };
    },
  };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return objectSchema.safeParse(text.trim() === "" ? {} : JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
