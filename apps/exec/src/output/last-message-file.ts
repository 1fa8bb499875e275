import { access, constants, lstat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ProgramError } from "@unroll/program";
import { describeSystemError, systemErrorCode } from "@unroll/text";

/** The file of `-o`. */
export interface LastMessageFile {
  /** Replaces the file whole; a crash in between leaves the old one. */
  write(message: string): Promise<void>;
}

/** Looks, before any token is spent, whether the file can be written. Throws `ProgramError` where it cannot. */
export async function openLastMessageFile(file: string, cwd: string): Promise<LastMessageFile> {
  const path = resolve(cwd, file);
  const found = await lstat(path).catch(() => null);
  if (found?.isDirectory()) throw new ProgramError("input", `-o ${file}: is a folder; name a file in it.`);
  await access(found ? path : dirname(path), constants.W_OK).catch((error: unknown) => {
    const reason = systemErrorCode(error) === "ENOENT" ? "its folder does not exist" : describeSystemError(error);
    throw new ProgramError("input", `-o ${file}: cannot be written: ${reason}.`, { cause: error });
  });
  return {
    async write(message) {
      try {
        if (found && !found.isFile()) await writeFile(path, message); // a link, a pipe, /dev/stdout: not to be replaced
        else await replaceFile(path, message);
      } catch (error) {
        throw new ProgramError("output", `-o ${file}: could not be written: ${describeSystemError(error)}.`, {
          cause: error,
        });
      }
    },
  };
}

async function replaceFile(path: string, text: string): Promise<void> {
  const { default: writeFileAtomic } = await import("write-file-atomic");
  await writeFileAtomic(path, text);
}
