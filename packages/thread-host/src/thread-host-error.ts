/** What a program asked that cannot be now. */
export type ThreadHostErrorCode =
  /** There is no open thread of that id. */
  | "thread_not_open"
  /** A turn runs in the thread already. */
  | "turn_runs"
  /** The turn that was named does not run. */
  | "turn_not_running"
  /** Of a thread that is kept nowhere, what needs one that is. */
  | "not_kept"
  /** Nobody logged in, or the server did not take it. */
  | "not_logged_in"
  | InputFault;

/** What a program asked that names nothing, whenever it asks. */
type InputFault =
  /** A page of a list is told by a cursor that was given, and this was not. */
  | "wrong_cursor"
  /** There is no such folder to work in. */
  | "folder_missing"
  /** There is nothing to write. */
  | "no_value"
  /** The thread has no turn of that id. */
  | "turn_missing";

const inputFaults: readonly string[] = [
  "wrong_cursor",
  "folder_missing",
  "no_value",
  "turn_missing",
] satisfies readonly InputFault[];

/** What a program asked of its threads cannot be; the message says what can. */
export class ThreadHostError extends Error {
  override readonly name = "ThreadHostError";
  readonly code: ThreadHostErrorCode;

  constructor(code: ThreadHostErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  /** Whether what was sent is wrong, and not the moment. */
  get isOfInput(): boolean {
    return inputFaults.includes(this.code);
  }
}
