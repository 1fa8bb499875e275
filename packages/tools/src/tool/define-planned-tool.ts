import type { JsonSchema, ThreadEvent } from "@unroll/protocol";
import type { InputSchema } from "../schema/input-schema.ts";
import { type SchemaWriter, writeOwnSchema } from "../schema/write-own-schema.ts";
import type { CallableTool, Concurrency, PlanContext, PlannedCall, RejectedCall } from "./tool.ts";

/** Like `ToolDefinition`, with `plan` instead of `run`. */
export interface PlannedToolDefinition<Input> {
  readonly name: string;
  readonly description: string;
  readonly input: InputSchema<Input>;
  readonly concurrency?: Concurrency | ((input: Input) => Concurrency | Promise<Concurrency>);
  /** As of a `ReadyCall`, for arguments that fit `input`. */
  plan(input: Input, context: PlanContext): Promise<PlannedCall | RejectedCall>;
  readonly endTurn?: () => readonly ThreadEvent[];
}

/** Schemas that were written before: the threads of a process have the same tools. */
const written = new WeakMap<object, JsonSchema>();

/** A function tool whose calls are planned before they are judged, or are shown as more than a `tool_call`. Throws what `defineTool` throws. */
export function definePlannedTool<Input>(definition: PlannedToolDefinition<Input>): CallableTool {
  const given: unknown = definition; // of a caller without types, anything
  if (typeof given !== "object" || given === null)
    throw new TypeError("definePlannedTool: an object with name, description, input and plan is expected.");
  checkToolName(definition.name);
  const parameters = writeParameters(definition, writeOwnSchema);
  return parameters === null ? createUnwrittenTool(definition) : createTool(definition, parameters);
}

function createTool<Input>(definition: PlannedToolDefinition<Input>, parameters: JsonSchema): CallableTool {
  const { name, description, input, concurrency = "exclusive", endTurn } = definition;
  return {
    type: "callable",
    name,
    spec: { type: "function", name, description, strict: false, parameters },
    async prepare(payload) {
      const { parseArguments } = await import("./parse-arguments.ts"); // not before a call comes
      const parsed = await parseArguments({ input, parameters }, payload);
      if (parsed.type === "rejected") return { type: "call.rejected", message: parsed.message };
      const { input: checked } = parsed;
      return {
        type: "call.ready",
        concurrency: typeof concurrency === "function" ? () => concurrency(checked) : concurrency,
        plan: (context) => definition.plan(checked, context),
      };
    },
    ...(endTurn && { endTurn }),
  };
}

/**
 * For zod before 4.2, which does not write JSON Schema: our copy does. Programs that only define
 * tools need not load it.
 */
function createUnwrittenTool<Input>(definition: PlannedToolDefinition<Input>): CallableTool {
  const { name } = definition;
  const fail = (): never => {
    throw new TypeError(`Tool ${name}: its zod does not write JSON Schema: hand it to a thread, or update zod to 4.2.`);
  };
  return {
    type: "callable",
    name,
    get spec() {
      return fail();
    },
    prepare: fail,
    writtenBy: (write) => createTool(definition, writeParameters(definition, write) ?? fail()),
  };
}

function writeParameters<Input>({ name, input }: PlannedToolDefinition<Input>, write: SchemaWriter): JsonSchema | null {
  const known = written.get(Object(input));
  if (known !== undefined) return known;
  const what = `Tool ${name}, input`;
  const parameters = write(input, what);
  if (parameters === null) return null;
  if (parameters["type"] !== "object") throw new TypeError(`${what}: an object is expected: z.object({ … }).`);
  written.set(input, parameters);
  return parameters;
}

const namePattern = /^[\w-]{1,64}$/;

/** Throws a `TypeError` for a name that the Responses API refuses. */
export function checkToolName(name: unknown): void {
  if (typeof name === "string" && namePattern.test(name)) return;
  throw new TypeError(
    `Tool name ${name === undefined ? "undefined" : JSON.stringify(name)}: use 1 to 64 letters, digits, "_" or "-".`,
  );
}
