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
  /** The whole output for the model: secrets are masked in it, and nothing is cut. */
  readonly output: string | readonly ContentPart[];
  /** Why the call failed, in one or more sentences; null: it did not. */
  readonly fault: string | null;
}

/** The output that the model reads instead. */
export interface ReplacedResult {
  readonly output: string | readonly ContentPart[];
  /** The reason, in a sentence; the user gets it as a `warning`. */
  readonly reason: string;
}

/** Context of a finished call. */
export interface AfterCallContext {
  readonly itemId: string;
  /** Aborts when the turn is interrupted. */
  readonly signal: AbortSignal;
  readonly emit: (event: ThreadEvent) => Promise<void>;
}
