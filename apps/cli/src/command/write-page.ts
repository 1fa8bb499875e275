import { resolve } from "node:path";
import { type ProcessIo, ProgramError } from "@unroll/program";
import { explainUnwritten } from "@unroll/report";
import { systemErrorCode } from "@unroll/text";
import { writeExport } from "@unroll/use-cases/export";

/** Writes a file that a flag names, and says where. Throws `ProgramError` where it cannot. */
export async function writePage(text: string, name: string, io: ProcessIo): Promise<void> {
  const written = await writeExport(text, { path: resolve(io.cwd, name), replaces: true, newId: io.newId });
  if (written.type === "written") return void io.stderr.stream.write(`written: ${written.path}\n`);
  const isInput = written.type === "left_alone" || systemErrorCode(written.error) === "ENOENT";
  const cause = written.type === "failed" ? written.error : null;
  throw new ProgramError(isInput ? "input" : "output", explainUnwritten(written), { cause });
}
