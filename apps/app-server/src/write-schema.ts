import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { exitCodes, type ProcessIo, reportFailure } from "@unroll/program";

/** Writes `app-server.schema.json` and `app-server.d.ts` into a folder. Returns the exit code. */
export async function writeAppServerSchema(out: string, io: ProcessIo): Promise<number> {
  const { toProtocolFiles } = await import("@unroll/app-server-protocol");
  const folder = resolve(io.cwd, out);
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(toProtocolFiles())) {
      await writeFile(join(folder, name), text);
      io.stdout.stream.write(`${join(folder, name)}\n`);
    }
    return exitCodes.completed;
  } catch (error) {
    return reportFailure(error, io);
  }
}
