import type { JsonSchema, ThreadEvent, TurnOutcome, UserInput } from "@unroll/protocol";
import { checkValue, type InputSchema } from "@unroll/tools";
import { checkInput, checkParts, checkRun, takeCall } from "../check-options.ts";
import { toOutputSchema } from "../schema/to-output-schema.ts";
import { createTurn, type ThreadTurn, type TurnResult } from "./turn.ts";
import { HarnessError } from "../harness-error.ts";

/** As of `Thread.run`. */
interface Run {
  (input: UserInput, options?: RunOptions): ThreadTurn;
  <Value>(input: UserInput, options: OutputOptions<Value>): ThreadTurn<Value>;
}

/** `Thread.run` by the generator that a turn is. */
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

/** What a turn was asked for. */
interface TurnWish {
  /** Absent: nothing but text. */
  readonly output?: InputSchema;
  readonly signal: AbortSignal;
}

/** An outcome as a result. Throws what `Thread.run` says of awaiting a turn. */
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

/** The thread has held it to the JSON Schema already; a schema may want more than that can say. */
async function readValue(output: InputSchema, finalMessage: string | null): Promise<unknown> {
  const checked = await checkValue(output, JSON.parse(finalMessage ?? "null"));
  if (checked.type === "fits") return checked.value;
  const message = `The answer does not fit the output schema: ${checked.faults.join("; ")}. Run it again.`;
  throw new HarnessError("turn_failed", message, { turnError: { code: "schema_mismatch", message } });
}

/** Of one turn. */
export interface RunOptions {
  /** Interrupts the turn: its commands are stopped, its history stays valid. Absent: nothing does, but closing the thread. */
  readonly signal?: AbortSignal;
  /** The final message must be JSON of this schema; an answer that is not fails the turn. Absent: any text. */
  readonly outputSchema?: JsonSchema;
  /** So often the model may correct an answer that is not, in the same turn. Default 2. */
  readonly schemaRepairs?: number;
}

/** The same for an answer that is a typed value. */
export interface OutputOptions<Value> extends Omit<RunOptions, "outputSchema"> {
  /** What the answer has to fit, and is given as: a schema of zod 4, or another that writes JSON Schema. */
  readonly output: InputSchema<Value>;
}

/** With a signal and a JSON Schema alone. */
export type SettledRunOptions = Pick<RunOptions, "outputSchema" | "schemaRepairs"> & { readonly signal: AbortSignal };
