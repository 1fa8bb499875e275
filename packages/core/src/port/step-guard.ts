import type { MessageItem, ModelError, ResponseItem, ThreadEvent, TokenUsage, TurnError } from "@unroll/protocol";

/**
 * Looks at a turn before each of its requests, and decides whether it continues: budgets,
 * compaction, loop detection. Guards are asked in order, once per request, until one stops the
 * turn. Their events are reported to the thread. An exception fails the turn (`guard_failed`). A
 * guard that ignores an abort is abandoned, once the model client has ended its request.
 */
export interface StepGuard {
  before(facts: StepFacts, signal: AbortSignal, requests: SideRequests): AsyncGenerator<ThreadEvent, StepVerdict>;
  /**
   * Asked when the model has given its final message and nobody has said anything since: whether the turn ends, or continues with what the
   * guard says. All guards are asked; the turn continues if one of them wants that. Absent: it ends.
   */
  end?(facts: EndFacts, signal: AbortSignal): AsyncGenerator<ThreadEvent, EndVerdict>;
}

/** The facts when a turn is about to end. */
export interface EndFacts extends Pick<StepFacts, "turnId" | "items" | "requests" | "usage"> {
  /** Null: the model said nothing. */
  readonly finalMessage: string | null;
  /** How often guards have continued this turn. After the hundredth time it ends. */
  readonly continued: number;
}

/** A guard's verdict when a turn is about to end. */
export type EndVerdict =
  | { readonly type: "end" }
  /** `say`: appended before the next request; not empty. */
  | { readonly type: "continue"; readonly say: readonly [MessageItem, ...MessageItem[]] }
  | { readonly type: "stop"; readonly error: TurnError };

/** The facts before a request. */
export interface StepFacts {
  readonly turnId: string;
  /** The transcript as it would be sent; it grows with the thread, so take what you keep. */
  readonly items: readonly ResponseItem[];
  /** The size of the items as they would be sent. */
  readonly bytes: number;
  /** How many requests the turn has made. */
  readonly requests: number;
  /**
   * The usage of the turn so far, and of the thread's last response in this epoch; null: there is
   * none, or its server did not say.
   */
  readonly usage: TokenUsage;
  readonly lastUsage: TokenUsage | null;
  /** How many of the items `lastUsage` counts, from the first on. */
  readonly lastSpan: ResponseSpan;
  /**
   * Why the request before failed, where it is made again if a guard compacts; otherwise null. `empty_answer`: it was answered, by
   * nothing or by reasoning alone.
   */
  readonly failure: ModelError | null;
}

/** How many items a request held, and how many there are with what came of it; both 0 where there was no response. */
export interface ResponseSpan {
  readonly sent: number;
  readonly held: number;
}

/**
 * Requests beside the turn's own, for a guard that needs a model. Their responses are neither
 * recorded nor shown; their usage counts as the turn's.
 */
export interface SideRequests {
  /**
   * The turn's request with these for its input: items of the transcript are sent as the bytes they are. Any text will do for its
   * answer. `instructions`: in place of the thread's own instructions and tools; absent: those.
   */
  readonly respond: (
    items: readonly ResponseItem[],
    options?: { readonly instructions?: string },
  ) => AsyncGenerator<ThreadEvent, SideResponse>;
  /** Has the server shorten these by itself. Null: it cannot. */
  readonly compact: ((items: readonly ResponseItem[]) => AsyncGenerator<ThreadEvent, SideResponse>) | null;
}

/** The outcome of a request beside the turn. */
export type SideResponse =
  | { readonly type: "completed"; readonly items: readonly ResponseItem[] }
  /** `failure`: the model's; null: the request was not sent, because the thread could not be saved. */
  | { readonly type: "failed"; readonly error: TurnError; readonly failure: ModelError | null }
  | { readonly type: "aborted" };

/** A guard's verdict before a request. */
export type StepVerdict =
  /** `say`: appended before the request goes out; absent: nothing. */
  | { readonly type: "go"; readonly say?: readonly MessageItem[] }
  /**
   * A new epoch begins with these items. `cause`: one clause for users. `isFinal`: see
   * `Transcript.openEpoch`.
   */
  | {
      readonly type: "compact";
      readonly items: readonly ResponseItem[];
      readonly cause: string;
      readonly isFinal?: boolean;
    }
  /** The failed request is repeated: the guard changed something around the transcript. */
  | { readonly type: "resend" }
  /** The turn is completed as it is, without another request; what people said since waits for the next one. */
  | { readonly type: "end" }
  /** `failure`: of a request that the guard made. Guards are asked about it, and if one changes something, all are asked again. Absent: the turn ends. */
  | { readonly type: "stop"; readonly error: TurnError; readonly failure?: ModelError };
