/** Why a request to the host failed. */
export type ThreadHostErrorCode =
  /** No thread of that id is open. */
  | "thread_not_open"
  /** A turn runs in the thread already. */
  | "turn_runs"
  /** The named turn does not run. */
  | "turn_not_running"
  /** The thread is not saved, and this needs one that is. */
  | "not_kept"
  /** The login failed. */
  | "not_logged_in"
  | InputFault;

/** The request itself is wrong, at any time. */
type InputFault =
  /** The cursor of a page is not one that a page gave. */
  | "wrong_cursor"
  /** The working folder does not exist. */
  | "folder_missing"
  /** The thread has no turn of that id. */
  | "turn_missing"
  /** The model does not take that reasoning effort. */
  | "effort_unsupported";

const inputFaults: readonly string[] = [
  "wrong_cursor",
  "folder_missing",
  "turn_missing",
  "effort_unsupported",
] satisfies readonly InputFault[];

/** The host cannot do what a program asked; the message says what it can do. */
export class ThreadHostError extends Error {
  override readonly name = "ThreadHostError";
  readonly code: ThreadHostErrorCode;

  constructor(code: ThreadHostErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  /** Whether the request is wrong, rather than the moment. */
  get isOfInput(): boolean {
    return inputFaults.includes(this.code);
  }
}
