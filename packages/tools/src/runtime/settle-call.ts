import type { Clock } from "@unroll/flow";
import type { CallThreadItem } from "@unroll/protocol";
import { describeError } from "../tool/describe-error.ts";
import type { ToolResult } from "../tool/tool.ts";

/** The steps of a call. */
interface CallSteps {
  readonly tool: string;
  /** Aborts when the turn is interrupted. */
  readonly signal: AbortSignal;
  readonly run: () => Promise<CallEnding>;
}

/** How long a tool has to settle after an abort, in ms. */
const abortGraceMs = 5_000;

/** Takes the steps. Every result is an ending: an exception, and an abort that they ignore. */
export async function settleCall({ tool, signal, run }: CallSteps, clock: Clock): Promise<CallEnding> {
  const startedAt = clock.elapsed();
  const seconds = (): number => Math.round((clock.elapsed() - startedAt) / 100) / 10;
  const grace = watchGrace(signal, clock);
  try {
    const ending = await Promise.race([run(), grace.passed]);
    if (ending) return ending;
    return {
      type: "ending.stopped",
      status: "failed",
      reason: `The tool ${tool} did not stop when the turn was interrupted; it may still be at work.`,
      output: `aborted by user after ${seconds()} seconds; it did not stop in time and may still be at work`,
    };
  } catch (error) {
    if (!signal.aborted) return breakOff(`The tool ${tool} failed: ${describeError(error)}`);
    const reason = `Stopped after ${seconds()} s.`;
    return { type: "ending.stopped", status: "failed", reason, output: `aborted by user after ${seconds()} seconds` };
  } finally {
    grace.end();
  }
}

/** The ending of a call whose tool is at fault. */
export function breakOff(reason: string): CallEnding {
  const output = `${reason}\nThis is a fault of the tool. Do not repeat the same call; go on another way.`;
  return { type: "ending.stopped", status: "failed", reason, output };
}

interface Grace {
  /** Resolves when the time after an abort is over. */
  readonly passed: Promise<null>;
  /** The call has settled: nothing is waited for any more. */
  end(): void;
}

/** By hand: a signal of its own for each call, joined with the turn's, costs more than many a call. */
function watchGrace(signal: AbortSignal, clock: Pick<Clock, "setTimer">): Grace {
  const { promise, resolve } = Promise.withResolvers<null>();
  let stopTimer = (): void => {};
  const begin = (): void => {
    stopTimer = clock.setTimer(abortGraceMs, () => resolve(null));
  };
  if (signal.aborted) begin();
  else signal.addEventListener("abort", begin, { once: true });
  return {
    passed: promise,
    end() {
      signal.removeEventListener("abort", begin);
      stopTimer();
    },
  };
}

/** How a call ended, for the model and for those who follow the thread. */
export type CallEnding = SettledEnding | PostponedEnding;

/** The call waits for an answer: the model gets no output yet. */
interface PostponedEnding {
  readonly type: "ending.postponed";
  readonly reason: string;
}

/** An ending with an output. */
export type SettledEnding =
  | {
      readonly type: "ending.ran";
      readonly result: ToolResult;
      /** These three as of a `CallEnd`. */
      readonly fault?: string;
      readonly item?: CallThreadItem | null;
      readonly onlyWaited?: boolean;
    }
  | {
      readonly type: "ending.stopped";
      readonly status: "failed" | "declined";
      /** One or more sentences. */
      readonly reason: string;
      /** The output for the model. */
      readonly output: string;
      /** Absent: what was shown of the call so far, stopped with `reason`. */
      readonly item?: CallThreadItem;
    };
