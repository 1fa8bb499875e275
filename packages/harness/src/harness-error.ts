import type { ThreadEvent, TurnError } from "@unroll/protocol";

/** The reason of an error, for programs. docs/errors.md lists what to do about each. */
export type HarnessErrorCode =
  /** An argument does not have the expected shape. */
  | "invalid_options"
  /** The working folder of the process was deleted. */
  | "no_working_folder"
  /** An awaited turn failed: see `turnError`. */
  | "turn_failed"
  /** An awaited turn ended because its thread was closed, or its reader left. */
  | "turn_interrupted"
  /** A sub-agent was not started: a limit is reached, or its role, folder or model cannot be used. */
  | "agent_not_started"
  /** A package that is not installed by default is needed. */
  | "missing_package"
  /** A schema file is not JSON or not a JSON Schema. */
  | "invalid_schema"
  /** An image file is missing, cannot be read or is not an image. */
  | "invalid_image"
  /** An image was sent to a model or provider that accepts none. */
  | "images_unsupported"
  /** An MCP server that the thread requires did not start. */
  | "mcp_required_failed"
  /** There is no key for the provider that the config names. */
  | "missing_credential"
  /** Nobody is logged in to the account that the config or the thread names. */
  | "account_missing"
  /** No model is named, and the provider does not have exactly one. */
  | "model_unnamed"
  /** There is no such thread to resume, or it has fewer turns. */
  | "thread_missing"
  /** The machine lacks something that the sandbox needs, such as free processes; it may have it again in a moment. */
  | "sandbox_unavailable"
  /** The harness has no thread store. */
  | "no_thread_store"
  /** A resumed thread was opened with another model. */
  | "other_model"
  /** There is no compaction to undo. */
  | "nothing_to_undo"
  /** A limit on cost is set, but the model's price is unknown. */
  | "unknown_price"
  /** The thread, or its harness, is closed. */
  | "closed"
  /** The queued messages would become too large to keep. */
  | "too_much_waits"
  /** A turn was started while another one runs in the same thread. */
  | "thread_busy";

export interface HarnessErrorOptions extends ErrorOptions {
  /** Absent: nothing happened. */
  readonly events?: readonly ThreadEvent[];
  /** Absent: the error is not about a turn. */
  readonly turnError?: TurnError;
}

/** An error that the caller can fix; the message says where and how. */
export class HarnessError extends Error {
  override readonly name = "HarnessError";
  readonly code: HarnessErrorCode;
  /** Events of the MCP servers of a thread that could not be opened, in order; otherwise empty. */
  readonly events: readonly ThreadEvent[];
  /** With `turn_failed`: the error of the turn's last event; otherwise null. */
  readonly turnError: TurnError | null;

  constructor(code: HarnessErrorCode, message: string, options: HarnessErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.events = options.events ?? [];
    this.turnError = options.turnError ?? null;
  }
}
