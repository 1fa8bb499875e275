import type { ResponseItem, ThreadEvent, ToolCallItem, ToolSpec } from "@unroll/protocol";

/** Runs the tool calls of one response. */
export interface ToolRuntime {
  /** In one fixed order for the life of the thread. */
  readonly specs: readonly ToolSpec[];
  /**
   * Runs the calls, side by side where their tools allow it. Returns one output a call, in call order, then any further
   * items (an image that a tool loaded). A call that waits for the user's answer (`calls.asked`, and not `started`) has no
   * output: the turn ends. Never throws for what a model or a tool did wrong: that is an output too. After
   * an abort it still returns an output for every call.
   */
  run(calls: readonly ToolCallItem[], context: ToolRunContext): AsyncGenerator<ThreadEvent, readonly ResponseItem[]>;
  /** Called once when a turn ends, however it ends: the events that close what tools left open (a plan). */
  endTurn(): readonly ThreadEvent[];
}

/** The context of the calls of one response. */
export interface ToolRunContext {
  /** A text as its reason says why nothing runs any more. Otherwise it was the user's wish. */
  readonly signal: AbortSignal;
  /** The next free thread item id, `item_N`. */
  readonly nextItemId: () => string;
  /** Records that the user is asked about a call, and that such a call begins: its run waits for that. Absent: nothing is recorded. */
  readonly calls?: CallRecord;
}

/** Where it is recorded how far a call came. Rejects if that is impossible: the call then does not run. */
interface CallRecord {
  asked(callId: string): Promise<void>;
  /** Only of calls that were asked about. */
  started(callId: string): Promise<void>;
}
