// Stands in for @unroll/text, name by name, until that package is on this branch: then this file goes.

/** The code of what the system (`ENOENT`) or Node.js (`ERR_ENCODING_…`) refused; null for any other error. */
export function systemErrorCode(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" && /^E[A-Z0-9_]+$/.test(code) ? code : null;
}

/** Why the system refused something, in a few words without a full stop: `permission denied`. */
export function describeSystemError(error: unknown): string {
  const code = systemErrorCode(error);
  if (code !== null) return reasons[code] ?? code;
  return error instanceof Error ? error.message : String(error);
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EMFILE: "too many open files",
  ENFILE: "too many open files on this machine",
  ENOENT: "it does not exist",
  ENOSPC: "no space left on the disk",
  ENOTDIR: "a part of its path is not a folder",
  EPERM: "operation not permitted",
  EROFS: "the file system is read-only",
};
