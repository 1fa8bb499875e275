import { mkdir, readFile, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import { AuthError } from "../auth-error.ts";
import type { Place } from "./place.ts";

/** More than any login needs. A pipe or a device has no size, and might never end. */
const maxBytes = 1024 * 1024;

/**
 * A file that only its owner can read (0600), replaced as a whole. Commands in the sandbox cannot
 * see it, nor other files whose name begins with its name. So every file beside it, temporary or
 * not, is named after it.
 */
export function createFilePlace(path: string): Place {
  return {
    name: path,
    async read() {
      try {
        const found = await stat(path);
        if (!found.isFile()) throw new AuthError("store_unusable", `${path} cannot be read: it is not a regular file.`);
        if (found.size > maxBytes) throw new AuthError("store_unusable", `${path} cannot be read: it is too large.`);
        return await readFile(path, "utf8");
      } catch (error) {
        if (systemErrorCode(error) === "ENOENT") return null;
        throw toFault(error, `${path} cannot be read`);
      }
    },
    async write(text) {
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        const { default: writeFileAtomic } = await import("write-file-atomic");
        await writeFileAtomic(path, text, { mode: 0o600 });
      } catch (error) {
        throw toFault(error, `The login cannot be stored: ${path} cannot be written`);
      }
    },
    async remove() {
      try {
        await rm(path, { force: true });
      } catch (error) {
        throw toFault(error, `${path} cannot be removed`);
      }
    },
  };
}

function toFault(error: unknown, what: string): AuthError {
  if (error instanceof AuthError) return error;
  return new AuthError("store_unusable", `${what}: ${describeSystemError(error)}.`, { cause: error });
}
