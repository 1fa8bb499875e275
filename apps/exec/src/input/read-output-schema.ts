import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseOutputSchema } from "@unroll/harness";
import type { JsonSchema } from "@unroll/protocol";
import { findPipeFault, ProgramError } from "@unroll/program";
import { describeSystemError } from "@unroll/text";

/** The schema of `--output-schema`. Throws `ProgramError` or `HarnessError` that name the file and the place in it. */
export async function readOutputSchema(file: string, cwd: string): Promise<JsonSchema> {
  const fault = await findPipeFault(resolve(cwd, file));
  if (fault !== null) throw new ProgramError("input", `--output-schema ${file}: cannot be read: ${fault}.`);
  let text: string;
  try {
    text = await readFile(resolve(cwd, file), "utf8");
  } catch (error) {
    throw new ProgramError("input", `--output-schema ${file}: cannot be read: ${describeSystemError(error)}.`, {
      cause: error,
    });
  }
  return parseOutputSchema(text, file);
}
