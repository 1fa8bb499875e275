/** What a program asked that cannot be now. */
export type FrontEndErrorCode =
  /** There is no open thread of that id. */
  | "thread_not_open"
  /** A turn runs in the thread already. */
  | "turn_runs"
  /** The turn that was named does not run. */
  | "turn_not_running"
  /** Of a thread that is kept nowhere, what needs one that is. */
  | "not_kept";

/** What a program asked of its threads cannot be; the message says what can. */
export class FrontEndError extends Error {
  override readonly name = "FrontEndError";
  readonly code: FrontEndErrorCode;

  constructor(code: FrontEndErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
