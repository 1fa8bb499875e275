import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { exitCodes, type ProcessIo, reportFailure } from "@unroll/program";

/** Writes `app-server.schema.json` and `app-server.d.ts` into a folder. Returns the exit code. */
export async function writeAppServerSchema(out: string, io: ProcessIo): Promise<number> {
  const { toProtocolSchema, toTypeScript } = await import("@unroll/app-server-protocol");
  const folder = resolve(io.cwd, out);
  const schema = toProtocolSchema();
  const files = {
    "app-server.schema.json": `${JSON.stringify(schema, null, 2)}\n`,
    "app-server.d.ts": toTypeScript(schema),
  };
  try {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    io.stdout.stream.write(
      `${Object.keys(files)
        .map((name) => join(folder, name))
        .join("\n")}\n`,
    );
    return exitCodes.completed;
  } catch (error) {
    return reportFailure(error, io);
  }
}
