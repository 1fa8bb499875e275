import { parseOutputSchema } from "@unroll/harness";
import { readNamedFile } from "@unroll/program";
import type { JsonSchema } from "@unroll/protocol";

/** The schema of `--output-schema`. Throws `ProgramError` or `HarnessError` that name the file and the place in it. */
export async function readOutputSchema(file: string, cwd: string): Promise<JsonSchema> {
  return parseOutputSchema(await readNamedFile({ flag: "--output-schema", file }, cwd), file);
}
