import { toProgramFailure } from "@unroll/program";
import { noTokenUsage, type ThreadEvent, toTerminalEvent, type TurnOutcome } from "@unroll/protocol";

/** Runs work of the program as a turn in which the model is not asked. It ends as failed if `work` throws. */
export async function* runOwnTurn(
  turnId: string,
  work: AsyncGenerator<ThreadEvent, void>,
  signal: AbortSignal,
): AsyncGenerator<ThreadEvent, TurnOutcome> {
  yield { type: "turn.started", turn_id: turnId };
  const usage = noTokenUsage;
  let outcome: TurnOutcome;
  try {
    yield* work;
    outcome = signal.aborted ? { type: "interrupted", usage } : { type: "completed", finalMessage: null, usage };
  } catch (thrown) {
    outcome = { type: "failed", error: toProgramFailure(thrown).error, usage };
  }
  yield toTerminalEvent(outcome);
  return outcome;
}
