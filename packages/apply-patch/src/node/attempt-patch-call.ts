import { describeSystemError, systemErrorCode } from "@unroll/text";
import { PatchFilesError } from "../plan/patch-files-error.ts";

const passing: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EBUSY", "EMFILE", "ENFILE"]);

/** Turns a system error into a `PatchFilesError`. Any other error is a bug and passes through. */
export async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === null || cause instanceof PatchFilesError) throw cause;
    throw new PatchFilesError(describeSystemError(cause), { code, retryable: passing.has(code), cause });
  }
}

/** As `attempt`; null if the file does not exist. */
export async function attemptOrNull<T>(work: () => Promise<T>): Promise<T | null> {
  return attempt(async () => {
    try {
      return await work();
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === "ENOENT" || code === "ENOTDIR") return null;
      throw error;
    }
  });
}

/** The error for a file or folder that changed after it was checked. */
export function overtaken(what: string): PatchFilesError {
  return new PatchFilesError(`${what} is being changed by something else at this moment`, {
    code: "ESTALE",
    retryable: true,
  });
}
