import { PatchFilesError } from "@unroll/apply-patch";
import { describeSystemError, systemErrorCode } from "@unroll/text";

const passing: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EBUSY", "EMFILE", "ENFILE"]);

/** What the system refuses is a `PatchFilesError`; anything else is a bug. */
export async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === null || cause instanceof PatchFilesError) throw cause;
    throw new PatchFilesError(describeSystemError(cause), { code, retryable: passing.has(code), cause });
  }
}

/** Null where nothing is there. */
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

/** Of something that is not any more what was looked at before. */
export function overtaken(what: string): PatchFilesError {
  return new PatchFilesError(`${what} is being changed by something else at this moment`, {
    code: "ESTALE",
    retryable: true,
  });
}
