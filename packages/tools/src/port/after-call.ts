import type { ContentPart, ThreadEvent, ToolCallItem } from "@unroll/protocol";

/**
 * Looks at the result of each call that ran, before the model gets it. Null: the result stays as it is. One that throws withholds the
 * result, for nobody knows what it would have taken out. Images and texts behind the outputs (`followUp`) stay.
 */
export type AfterCall = (
  call: FinishedToolCall,
  context: AfterCallContext,
) => ReplacedResult | null | Promise<ReplacedResult | null>;

/** A call with its result. */
export interface FinishedToolCall {
  /** As the model wrote it. */
  readonly call: ToolCallItem;
  /** What the model would read, whole: secrets are masked in it, and nothing is cut. */
  readonly output: string | readonly ContentPart[];
  /** Why the call failed, in one or more sentences; null: it did not. */
  readonly fault: string | null;
}

/** What the model reads instead. */
export interface ReplacedResult {
  readonly output: string | readonly ContentPart[];
  /** Why, in a sentence: people are told it by a `warning`. */
  readonly reason: string;
}

/** What is given beside the call. */
export interface AfterCallContext {
  readonly itemId: string;
  /** Aborts when the turn is interrupted. */
  readonly signal: AbortSignal;
  readonly emit: (event: ThreadEvent) => Promise<void>;
}
