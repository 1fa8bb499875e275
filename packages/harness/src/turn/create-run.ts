import type { ThreadEvent, TurnOutcome, UserInput } from "@unroll/protocol";
import type { InputSchema } from "@unroll/tools";
import { takeCall } from "../options/check-call.ts";
import { checkInput, checkParts, checkRun } from "../options/check-input.ts";
import { toOutputSchema } from "../schema/to-output-schema.ts";
import type { OutputOptions, RunOptions, SettledRunOptions } from "./run-options.ts";
import { settleTurn } from "./settle-turn.ts";
import { createTurn, type ThreadTurn } from "./turn.ts";

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
