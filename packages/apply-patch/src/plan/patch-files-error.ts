/**
 * The error of a `PatchFiles` when the file system refuses. `message` says why in a few words,
 * without the path.
 */
export class PatchFilesError extends Error {
  override readonly name = "PatchFilesError";
  /** The system's: `EACCES`, `ENOSPC`. */
  readonly code: string;
  /** Whether the same call may go well later without anything else being done. */
  readonly retryable: boolean;

  constructor(
    message: string,
    options: { readonly code: string; readonly retryable: boolean; readonly cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.code = options.code;
    this.retryable = options.retryable;
  }
}
