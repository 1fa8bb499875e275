import type { JsonSchema, ThreadEvent } from "@unroll/protocol";
import type { InputSchema } from "../schema/input-schema.ts";
import { toJsonSchema } from "../schema/to-json-schema.ts";
import { checkToolName } from "./check-tool-name.ts";
import { parseArguments } from "./parse-arguments.ts";
import type { CallableTool, Concurrency, PlanContext, PlannedCall, RejectedCall } from "./tool.ts";

/** As a `ToolDefinition`, but for `plan`. */
export interface PlannedToolDefinition<Input> {
  readonly name: string;
  readonly description: string;
  readonly input: InputSchema<Input>;
  readonly concurrency?: Concurrency | ((input: Input) => Concurrency | Promise<Concurrency>);
  /** As of a `ReadyCall`, for arguments that fit `input`. */
  plan(input: Input, context: PlanContext): Promise<PlannedCall | RejectedCall>;
  readonly endTurn?: () => readonly ThreadEvent[];
}

/** What was written of a schema: the threads of a process have the same tools. */
const written = new WeakMap<object, JsonSchema>();

/** A function tool whose calls are planned before they are judged, or are shown as more than a `tool_call`. Throws what `defineTool` throws. */
export function definePlannedTool<Input>(definition: PlannedToolDefinition<Input>): CallableTool {
  const { name, description, input, concurrency = "exclusive", endTurn } = definition;
  checkToolName(name);
  const parameters = toParameters(input, `Tool ${name}, input`);
  if (parameters["type"] !== "object")
    throw new TypeError(`Tool ${name}, input: an object is expected: z.object({ … }).`);
  return {
    type: "callable",
    name,
    spec: { type: "function", name, description, strict: false, parameters },
    async prepare(payload) {
      const parsed = await parseArguments({ input, parameters }, payload);
      if (parsed.type === "rejected") return { type: "call.rejected", message: parsed.message };
      const { input: checked } = parsed;
      return {
        type: "call.ready",
        concurrency: typeof concurrency === "function" ? await concurrency(checked) : concurrency,
        plan: (context) => definition.plan(checked, context),
      };
    },
    ...(endTurn && { endTurn }),
  };
}

function toParameters(input: InputSchema, what: string): JsonSchema {
  const known = written.get(input);
  const parameters = known ?? toJsonSchema(input, what);
  if (known === undefined) written.set(input, parameters);
  return parameters;
}
