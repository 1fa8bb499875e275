import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describeSystemError } from "@unroll/text";
import { ProgramError } from "../failure/program-error.ts";
import { findPipeFault } from "./find-pipe-fault.ts";

/** A file that a person named on the command line. */
export interface NamedFile {
  /** With the flag, to begin a sentence with: `--output-schema`. */
  readonly flag: string;
  readonly file: string;
}

/** Its text, in UTF-8. Throws `ProgramError` where it cannot be read, and for a named pipe, which would never end. */
export async function readNamedFile({ flag, file }: NamedFile, cwd: string): Promise<string> {
  const path = resolve(cwd, file);
  const fault = await findPipeFault(path);
  if (fault !== null) throw new ProgramError("input", `${flag} ${file}: cannot be read: ${fault}.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (error) {
    throw new ProgramError("input", `${flag} ${file}: cannot be read: ${describeSystemError(error)}.`, {
      cause: error,
    });
  }
}
