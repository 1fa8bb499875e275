import type { ThreadEvent } from "@unroll/protocol";
import type { Approval } from "../port/call-gate.ts";
import type { InputSchema } from "../schema/input-schema.ts";
import { checkToolName, definePlannedTool } from "./define-planned-tool.ts";
import { planToolCall } from "./plan-tool-call.ts";
import type { CallableTool, Concurrency, ToolAnswer, ToolContext } from "./tool.ts";

export { agentToolNames } from "./agent-tool-names.ts"; // programs need these without the rest of the package

/** A tool of a program, as its author writes it. */
export interface ToolDefinition<Input> {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`. */
  readonly name: string;
  /** For the model: what the tool does and when to use it. */
  readonly description: string;
  /**
   * The schema of the arguments: a `z.object` or `z.strictObject` of any zod 4, or an object of
   * another library with Standard Schema and Standard JSON Schema. The descriptions of its fields
   * go to the model.
   */
  readonly input: InputSchema<Input>;
  /** A function decides for each call. Absent: `exclusive`. */
  readonly concurrency?: Concurrency | ((input: Input) => Concurrency | Promise<Concurrency>);
  /** Whether a person has to agree to a call; a function decides for each. Absent: `run`. */
  readonly approval?: Approval | ((input: Input) => Approval);
  /**
   * Called once for a call whose arguments match `input` and that may run. An exception, or an
   * invalid result, fails the call and not the turn.
   */
  run(input: Input, context: ToolContext): ToolAnswer | Promise<ToolAnswer>;
  /** Called when a turn ends: the events that close what the tool left open in it. */
  readonly endTurn?: () => readonly ThreadEvent[];
}

/**
 * Defines a function tool. Its JSON Schema for the model is derived from `input`. Throws a
 * `TypeError`, which says what to do, for a name that the Responses API refuses, an `input` that
 * cannot be written as the JSON Schema of an object, and a `run` that is not a function.
 */
export function defineTool<Input>(definition: ToolDefinition<Input>): CallableTool {
  const given: unknown = definition; // of a caller without types, anything
  if (typeof given !== "object" || given === null)
    throw new TypeError("defineTool: an object with name, description, input and run is expected.");
  const { approval = "run", name } = definition;
  checkToolName(name);
  const fault = findFault(definition);
  if (fault !== null) throw new TypeError(`Tool ${JSON.stringify(name)}: ${fault}`);
  return definePlannedTool({
    ...definition,
    plan: async (input) =>
      planToolCall({
        tool: name,
        arguments: input,
        approval: typeof approval === "function" ? approval(input) : approval,
        run: async (context) => definition.run(input, context),
      }),
  });
}

const known: Readonly<Record<keyof ToolDefinition<unknown>, true>> = {
  name: true,
  description: true,
  input: true,
  concurrency: true,
  approval: true,
  run: true,
  endTurn: true,
};

/** The mistake of a caller without types. An unknown member may be a misspelt one that asks a person. */
function findFault(definition: object): string | null {
  const unknown = Object.keys(definition).find((key) => !(key in known));
  if (unknown !== undefined) return `there is no ${unknown}: a tool has ${Object.keys(known).join(", ")}.`;
  const [description, run, approval = "run"]: readonly unknown[] = ["description", "run", "approval"].map(
    (key): unknown => Reflect.get(definition, key),
  );
  if (typeof description !== "string") return "description has to be text: it tells the model when to use the tool.";
  if (typeof run !== "function") return "run has to be a function.";
  if (typeof approval === "function" || approval === "run" || approval === "ask") return null;
  return 'approval has to be "run", "ask" or a function.';
}
