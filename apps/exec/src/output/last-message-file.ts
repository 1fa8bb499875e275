import { access, constants, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ExecError } from "../exec-error.ts";

/** The file of `-o`. */
export interface LastMessageFile {
  /** Replaces the file whole; a crash in between leaves the old one. */
  write(message: string): Promise<void>;
}

/** Looks, before any token is spent, whether the file can be written. Throws `ExecError` where it cannot. */
export async function openLastMessageFile(file: string, cwd: string): Promise<LastMessageFile> {
  const path = resolve(cwd, file);
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) throw new ExecError("input", `-o ${file}: is a folder; name a file in it.`);
  await access(found ? path : dirname(path), constants.W_OK).catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new ExecError("input", `-o ${file}: cannot be written there (${code}).`, { cause: error });
  });
  return {
    async write(message) {
      if (found && !found.isFile()) return writeFile(path, message); // a pipe or /dev/stdout: nothing to replace
      const { default: writeFileAtomic } = await import("write-file-atomic");
      await writeFileAtomic(path, message);
    },
  };
}
