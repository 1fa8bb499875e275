import type {
  CallThreadItem,
  ContentPart,
  CustomToolSpec,
  FunctionToolSpec,
  MessageItem,
  ThreadEvent,
  ToolSpec,
} from "@unroll/protocol";
import type { SchemaWriter } from "../schema/write-own-schema.ts";
import type { DeclinedVerdict, GatedCall, RunVerdict } from "../port/call-gate.ts";

/** Something the model may use: run here (`callable`) or by the provider (`hosted`). */
export type Tool = CallableTool | HostedTool;

/**
 * A tool that this process runs. Made by `defineTool` and `defineCustomTool`; written by hand where a
 * call has to be planned before it is judged, or is shown as more than a `tool_call`.
 */
export interface CallableTool {
  readonly type: "callable";
  readonly name: string;
  readonly spec: FunctionToolSpec | CustomToolSpec;
  /** Reads what the model wrote: JSON text for a function tool, free text for a custom one. Runs nothing. */
  prepare(payload: string): PreparedCall | Promise<PreparedCall>;
  /** Called when a turn ends: the events that close what the tool left open in it. */
  readonly endTurn?: () => readonly ThreadEvent[];
  /**
   * The tool to use in place of this one, with its `spec` written by `write`. Absent: it has one. `createToolRegistry` asks: only a
   * tool whose schema does not write JSON Schema by itself (zod 4.0 and 4.1) has this, and neither `spec` nor `prepare` before.
   */
  readonly writtenBy?: (write: SchemaWriter) => CallableTool;
}

/** A tool that the provider runs; we only ask for it. */
export interface HostedTool {
  readonly type: "hosted";
  readonly name: string;
  readonly spec: Exclude<ToolSpec, FunctionToolSpec | CustomToolSpec>;
}

/** A call on its way: read (`prepare`), then planned (`plan`), then judged by the gate, then run. The runtime does each step. */
export type PreparedCall = ReadyCall | RejectedCall;

/** A call whose arguments are in order; nothing of it has run. */
export interface ReadyCall {
  readonly type: "call.ready";
  /** A function is called only where the response has other calls. */
  readonly concurrency: Concurrency | (() => Concurrency | Promise<Concurrency>);
  /** Finds out what the call would do. May read, and changes nothing: the call has not been judged. */
  plan(context: PlanContext): Promise<PlannedCall | RejectedCall>;
}

/** A call that cannot run. */
export interface RejectedCall {
  readonly type: "call.rejected";
  /** For the model: the error, and how to fix it. */
  readonly message: string;
  /** The item of a failed call, with its reason. Absent: a `tool_call` whose reason is `message`. */
  readonly item?: CallThreadItem;
}

/** The plan of a call. */
export interface PlannedCall {
  readonly type: "call.planned";
  /** The question for the gate. */
  readonly gated: GatedCall;
  /**
   * The item of the call while it runs. Absent: a `tool_call`, which the runtime also completes.
   * Null: none, because the tool shows it in its own way; only a call that does not succeed becomes
   * a `tool_call`.
   */
  readonly item?: CallThreadItem | null;
  /** Begins what the model reads where the gate says no. Absent: "The call was not run". */
  readonly refusal?: string;
  run(verdict: RunVerdict, context: CallContext): Promise<CallEnd>;
}

/** How a call that ran has ended. */
export interface CallEnd {
  readonly answer: ToolAnswer;
  /** Why it failed: the item's `reason`, in one or more sentences. Absent: it did not. */
  readonly fault?: string;
  /** The call's item at its end. Absent: as it began, completed or failed. Null: it outlives the call. */
  readonly item?: CallThreadItem | null;
  /**
   * The call only waited for a command that is still running, so the same call again is not a
   * repetition. Absent: false.
   */
  readonly onlyWaited?: boolean;
}

/** `shared` calls that follow one another run side by side; an `exclusive` one runs alone, in its place. */
export type Concurrency = "shared" | "exclusive";

/** Context for planning a call. */
export interface PlanContext {
  readonly callId: string;
  /** `item_N`: of the call's item; taken from the thread's numbers when it is first read. */
  readonly itemId: string;
  readonly signal: AbortSignal;
}

/** Context of a tool's `run`. */
export interface ToolContext {
  readonly callId: string;
  /** `item_N`: of the call's item, which has started. */
  readonly itemId: string;
  /** Aborts when the turn is interrupted. A tool that does not settle soon after is given up. */
  readonly signal: AbortSignal;
  /** How much of the output's text reaches the model; the runtime cuts the rest out of the middle. */
  readonly maxOutputBytes: number;
  /** The next free thread item id, `item_N`, for items besides the call's own. */
  readonly nextItemId: () => string;
  /**
   * Reports to the thread at once: events of items, live text and warnings. Await it: it resolves
   * when the consumer keeps up, which limits memory. Anything else is not reported, and fails the
   * call.
   */
  readonly emit: (event: ThreadEvent) => Promise<void>;
}

/** The same for a planned call, which may find that it has to do more than was judged. */
export interface CallContext extends ToolContext {
  /** Asks the gate once more, about the same item. */
  readonly judge: (call: GatedCall) => Promise<RunVerdict | DeclinedVerdict>;
}

/**
 * A tool's result for the model: text; content parts; any other JSON, which the model reads as JSON
 * text; or a `ToolResult`, which is any object with `output`. `undefined` is not a result. A
 * failure is a result too: its text says how to continue.
 */
export type ToolAnswer = string | readonly ContentPart[] | ToolResult | JsonAnswer;

/** An answer with messages behind it. Content parts are those that the Responses API takes in an output. */
export interface ToolResult {
  readonly output: string | readonly ContentPart[];
  /** Messages to append after all outputs of the response (an image that was loaded). */
  readonly followUp?: readonly MessageItem[];
}

/** Any other JSON. Numbers must exist in JSON: NaN and the infinities fail the call. */
export type JsonAnswer =
  | number
  | boolean
  | null
  | readonly unknown[]
  | { readonly [key: string]: unknown; readonly output?: never };
