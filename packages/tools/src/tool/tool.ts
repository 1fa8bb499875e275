import type {
  ContentPart,
  CustomToolSpec,
  FunctionToolSpec,
  ResponseItem,
  ThreadEvent,
  ToolSpec,
} from "@unroll/protocol";

/** Something the model may use: run here (`callable`) or by the provider (`hosted`). */
export type Tool = CallableTool | HostedTool;

/** A tool that this process runs. Made by `defineTool` and `defineCustomTool`. */
export interface CallableTool {
  readonly type: "callable";
  readonly name: string;
  readonly spec: FunctionToolSpec | CustomToolSpec;
  /** Reads what the model wrote: JSON text for a function tool, free text for a custom one. Runs nothing. */
  prepare(payload: string): PreparedCall;
  /** Called when a turn ends: the events that close what the tool left open in it. */
  readonly endTurn?: () => readonly ThreadEvent[];
}

/** A tool that the provider runs; we only ask for it. */
export interface HostedTool {
  readonly type: "hosted";
  readonly name: string;
  readonly spec: Exclude<ToolSpec, FunctionToolSpec | CustomToolSpec>;
}

export type PreparedCall =
  | { readonly type: "call.ready"; readonly concurrency: Concurrency; run(context: ToolContext): Promise<ToolResult> }
  /** The model wrote something that the tool cannot take; `message` tells it what and how to mend it. */
  | { readonly type: "call.rejected"; readonly message: string };

/** `shared` calls that follow one another run side by side; an `exclusive` one runs alone, in its place. */
export type Concurrency = "shared" | "exclusive";

/** What a tool's `run` is given. */
export interface ToolContext {
  readonly callId: string;
  /** Aborts when the turn is interrupted. A tool that does not settle soon after is given up. */
  readonly signal: AbortSignal;
  /** How much of the output's text reaches the model; the runtime cuts the rest out of the middle. */
  readonly maxOutputBytes: number;
  /** The next free thread item id, `item_N`. */
  readonly nextItemId: () => string;
  /** Tells the thread at once. Await it: it resolves when the consumer keeps up, so that memory stays bounded. */
  readonly emit: (event: ThreadEvent) => Promise<void>;
}

/** What a call gives back to the model. Failure is a result too: its text says how to go on. */
export interface ToolResult {
  readonly output: string | readonly ContentPart[];
  /** Further items, appended after all outputs of the response (an image that was loaded). */
  readonly followUp?: readonly ResponseItem[];
}
