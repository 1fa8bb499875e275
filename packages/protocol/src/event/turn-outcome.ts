import type { TurnError, TurnTerminalEvent } from "./thread-event.ts";
import type { TokenUsage } from "./token-usage.ts";

/** How a turn ended; the value that `runTurn` and `thread.run` return. `usage` is of the whole turn. */
export type TurnOutcome =
  | { readonly type: "completed"; readonly finalMessage: string | null; readonly usage: TokenUsage }
  | { readonly type: "failed"; readonly error: TurnError; readonly usage: TokenUsage }
  /** `isCut`: its process ended in the middle of the turn; absent: somebody stopped it. */
  | { readonly type: "interrupted"; readonly usage: TokenUsage; readonly isCut?: true };

/** The last event of a turn that ended so. `thread_usage`: as of `TurnTerminalEvent`; absent: it is not known. */
export function toTerminalEvent(outcome: TurnOutcome, thread_usage?: TokenUsage): TurnTerminalEvent {
  const usage = { usage: outcome.usage, ...(thread_usage && { thread_usage }) };
  switch (outcome.type) {
    case "completed":
      return { type: "turn.completed", ...usage };
    case "failed":
      return { type: "turn.failed", error: outcome.error, ...usage };
    case "interrupted": {
      const error = { code: "interrupted", message: "The turn was interrupted before it was finished." };
      return { type: "turn.failed", error, ...usage };
    }
  }
}
