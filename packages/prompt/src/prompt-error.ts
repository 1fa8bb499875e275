/** `unreadable_file`: it is there and cannot be read; `missing_file`; `invalid_file`: empty, or not text. */
export type PromptErrorCode = "unreadable_file" | "missing_file" | "invalid_file";

/** Why no prompt could be made: a file that a person named, or wrote for the agent, cannot be used. */
export class PromptError extends Error {
  override readonly name = "PromptError";
  readonly code: PromptErrorCode;
  /** Absolute path of the file. */
  readonly path: string;
  /** Never: the file has to be put right first. */
  readonly retryable = false;

  /** `message` says what happened, names the file, and what to do next. */
  constructor(code: PromptErrorCode, path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}
