import type { MessageItem, ModelError, ResponseItem, ThreadEvent, TokenUsage, TurnError } from "@unroll/protocol";

/**
 * Looks at a turn before each of its requests, and says whether it goes on: budgets, compaction, loop detection. Guards are
 * asked in order, each once a request, until one says stop; what they yield is told to the thread. One that throws fails the
 * turn (`guard_failed`); one that goes on after an abort is left alone.
 */
export interface StepGuard {
  before(facts: StepFacts, signal: AbortSignal): AsyncGenerator<ThreadEvent, StepVerdict>;
}

/** What is known before a request. */
export interface StepFacts {
  readonly turnId: string;
  /** The transcript as it would be sent; it grows with the thread, so take what you keep. */
  readonly items: readonly ResponseItem[];
  /** Of the items as they would be sent. */
  readonly bytes: number;
  /** How many requests the turn has made. */
  readonly requests: number;
  /** Of the turn so far, and of the thread's last response; null: there is none, or its server did not say. */
  readonly usage: TokenUsage;
  readonly lastUsage: TokenUsage | null;
  /** Why the request before failed, where it is about to be made once more if a guard compacts; otherwise null. */
  readonly failure: ModelError | null;
}

export type StepVerdict =
  /** `say`: appended before the request goes out; absent: nothing. */
  | { readonly type: "go"; readonly say?: readonly MessageItem[] }
  /** The transcript begins anew with these. `cause`: one clause for people. */
  | { readonly type: "compact"; readonly items: readonly ResponseItem[]; readonly cause: string }
  | { readonly type: "stop"; readonly error: TurnError };
