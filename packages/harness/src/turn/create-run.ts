import type { JsonSchema, ThreadEvent, TurnOutcome, UserInput } from "@unroll/protocol";
import { checkValue, type InputSchema } from "@unroll/tools";
import { checkInput, checkParts, checkRun, takeCall } from "../check-options.ts";
import { toOutputSchema } from "../schema/to-output-schema.ts";
import { createTurn, type ThreadTurn, type TurnResult } from "./turn.ts";
import { HarnessError } from "../harness-error.ts";

/** The type of `Thread.run`. */
interface Run {
  (input: UserInput, options?: RunOptions): ThreadTurn;
  <Value>(input: UserInput, options: OutputOptions<Value>): ThreadTurn<Value>;
}

/** Makes `Thread.run` from a function that starts a turn's generator. */
export function createRun(
  begin: (input: UserInput, options: SettledRunOptions) => AsyncGenerator<ThreadEvent, TurnOutcome>,
): Run {
  function run(input: UserInput, options?: RunOptions): ThreadTurn;
  function run<Value>(input: UserInput, options: OutputOptions<Value>): ThreadTurn<Value>;
  function run(input: UserInput, options: RunOptions & { readonly output?: InputSchema } = {}): ThreadTurn<unknown> {
    checkInput("run", input);
    checkParts("run", input);
    checkRun("run", options);
    const { signal = new AbortController().signal, ...wish } = options;
    const { output } = wish;
    const outputSchema = output === undefined ? wish.outputSchema : takeCall(() => toOutputSchema(output));
    const repairs = wish.schemaRepairs === undefined ? {} : { schemaRepairs: wish.schemaRepairs };
    const events = begin(input, { signal, ...repairs, ...(outputSchema && { outputSchema }) });
    return createTurn(events, async (outcome) => settleTurn(outcome, { ...wish, signal }));
  }
  return run;
}

/** A caller's expectations of a turn. */
interface TurnWish {
  /** Absent: just text. */
  readonly output?: InputSchema;
  readonly signal: AbortSignal;
}

/** Converts an outcome into a result. Throws as described for awaiting `Thread.run`. */
async function settleTurn(outcome: TurnOutcome, { output, signal }: TurnWish): Promise<TurnResult<unknown>> {
  switch (outcome.type) {
    case "completed": {
      const { finalMessage, usage } = outcome;
      return { finalMessage, usage, value: output === undefined ? null : await readValue(output, finalMessage) };
    }
    case "failed":
      throw new HarnessError("turn_failed", outcome.error.message, { turnError: outcome.error });
    case "interrupted":
      signal.throwIfAborted();
      throw new HarnessError(
        "turn_interrupted",
        "The turn was interrupted: its thread was closed, or its reader left.",
      );
  }
}

/** The thread has already enforced the JSON Schema; a schema may demand more than JSON Schema can say. */
async function readValue(output: InputSchema, finalMessage: string | null): Promise<unknown> {
  const checked = await checkValue(output, JSON.parse(finalMessage ?? "null"));
  if (checked.type === "fits") return checked.value;
  const message = `The answer does not fit the output schema: ${checked.faults.join("; ")}. Run it again.`;
  throw new HarnessError("turn_failed", message, { turnError: { code: "schema_mismatch", message } });
}

/** Options of one turn. */
export interface RunOptions {
  /**
   * Interrupts the turn: its commands are stopped, its history stays valid. Absent: only closing
   * the thread does.
   */
  readonly signal?: AbortSignal;
  /** The final message must be JSON of this schema; otherwise the turn fails. Absent: any text. */
  readonly outputSchema?: JsonSchema;
  /**
   * How often the model may correct a response that does not match the schema, in the same turn.
   * Default 2. null: the schema only goes to the model, and any response completes the turn.
   */
  readonly schemaRepairs?: number | null;
}

/** Options of a turn whose response is a typed value. */
export interface OutputOptions<Value> extends Omit<RunOptions, "outputSchema" | "schemaRepairs"> {
  /** The schema of the response: zod 4, or another library that writes JSON Schema. */
  readonly output: InputSchema<Value>;
  /** As in `RunOptions`. A typed value is always checked. */
  readonly schemaRepairs?: number;
}

/** The options with a signal, and with a JSON Schema as the only schema. */
export type SettledRunOptions = Pick<RunOptions, "outputSchema" | "schemaRepairs"> & { readonly signal: AbortSignal };
