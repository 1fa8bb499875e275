import type { TurnError } from "./thread-event.ts";
import type { TokenUsage } from "./token-usage.ts";

/** How a turn ended; the value that `runTurn` and `thread.run` return. `usage` is of the whole turn. */
export type TurnOutcome =
  | { readonly type: "completed"; readonly finalMessage: string | null; readonly usage: TokenUsage }
  | { readonly type: "failed"; readonly error: TurnError; readonly usage: TokenUsage }
  | { readonly type: "interrupted"; readonly usage: TokenUsage };
