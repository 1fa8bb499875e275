import type { ThreadEvent, TurnError } from "@unroll/protocol";

/** What went wrong, for programs. */
export type HarnessErrorCode =
  /** What a program handed over is not of the shape that is expected. */
  | "invalid_options"
  /** The working folder of the process is gone. */
  | "no_working_folder"
  /** A turn that was awaited failed: see `turnError`. */
  | "turn_failed"
  /** A turn that was awaited ended because its thread was closed, or its reader left. */
  | "turn_interrupted"
  /** A package that is not installed by default is needed. */
  | "missing_package"
  /** A schema file that is not JSON or not a JSON Schema. */
  | "invalid_schema"
  /** An image that is not there, cannot be read or is no image. */
  | "invalid_image"
  /** An image for a model, or a provider, that takes none. */
  | "images_unsupported"
  /** An MCP server that the thread cannot start without is not up. */
  | "mcp_required_failed"
  /** No key for the provider that the config names. */
  | "missing_credential"
  /** Nobody named a model, and the provider has not one alone. */
  | "model_unnamed"
  /** There is no thread to go on with, or it has fewer turns. */
  | "thread_missing"
  /** The harness was given no store of threads. */
  | "no_thread_store"
  /** A thread that goes on was opened with another model. */
  | "other_model"
  /** There is no compaction to undo. */
  | "nothing_to_undo"
  /** There is a limit of cost, and nobody knows what the model costs. */
  | "unknown_price"
  /** The thread, or its harness, is closed. */
  | "closed"
  /** What was sent, and waits for the next request, would be too much to be kept. */
  | "too_much_waits"
  /** A turn was started while another one runs in the same thread. */
  | "thread_busy";

export interface HarnessErrorOptions extends ErrorOptions {
  /** Absent: nothing happened. */
  readonly events?: readonly ThreadEvent[];
  /** Absent: it is not about a turn. */
  readonly turnError?: TurnError;
}

/** What the caller can mend; the message says where and how. */
export class HarnessError extends Error {
  override readonly name = "HarnessError";
  readonly code: HarnessErrorCode;
  /** What happened to the MCP servers of a thread that was never opened, in order; otherwise empty. */
  readonly events: readonly ThreadEvent[];
  /** With `turn_failed`: why it failed, as its last event says it; otherwise null. */
  readonly turnError: TurnError | null;

  constructor(code: HarnessErrorCode, message: string, options: HarnessErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.events = options.events ?? [];
    this.turnError = options.turnError ?? null;
  }
}
