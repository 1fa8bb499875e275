import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseOutputSchema } from "@unroll/harness";
import type { JsonSchema } from "@unroll/protocol";
import { describeSystemError } from "@unroll/text";
import { ExecError } from "../exec-error.ts";

/** The schema of `--output-schema`. Throws `ExecError` or `HarnessError` that name the file and the place in it. */
export async function readOutputSchema(file: string, cwd: string): Promise<JsonSchema> {
  let text: string;
  try {
    text = await readFile(resolve(cwd, file), "utf8");
  } catch (error) {
    const why = describeSystemError(error);
    throw new ExecError("input", `--output-schema ${file}: cannot be read: ${why}.`, { cause: error });
  }
  return parseOutputSchema(text, file);
}
