import { describeThrown } from "./describe-thrown.ts";

/** The code of what the system (`ENOENT`) or Node.js (`ERR_ENCODING_…`) refused; null for any other error. */
export function systemErrorCode(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" && /^E[A-Z0-9_]+$/.test(code) ? code : null;
}

/**
 * The system's reason for a refusal, in a few words without a full stop, to follow "cannot be read: " or in brackets:
 * `permission denied`. Its code where we have no words for it; the message of any other error.
 */
export function describeSystemError(error: unknown): string {
  const code = systemErrorCode(error);
  if (code !== null) return reasons[code] ?? code;
  return describeThrown(error);
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EADDRINUSE: "another program uses it",
  EBUSY: "it is in use or a mount point",
  EDQUOT: "the disk quota is used up",
  EEXIST: "something is there already",
  EFBIG: "it is too large",
  EINVAL: "the system does not take this",
  EIO: "input/output error",
  EISDIR: "it is a folder",
  ELOOP: "a loop of symbolic links",
  EMFILE: "too many open files; raise the limit with ulimit -n 1024",
  ENAMETOOLONG: "its name is too long",
  ENFILE: "too many open files on this machine; raise its limit, fs.file-max",
  ENOENT: "it does not exist",
  ENOMEM: "no memory left",
  ENOSPC: "no space left on the disk",
  ENOTDIR: "a part of its path is not a folder",
  ENOTEMPTY: "the folder is not empty",
  EPERM: "operation not permitted",
  EPIPE: "nobody reads it any more",
  EROFS: "the file system is read-only",
  ETXTBSY: "it is a program that runs",
  ERR_ENCODING_INVALID_ENCODED_DATA: "it is not UTF-8 text",
  ERR_FS_FILE_TOO_LARGE: "it is too large",
};
