import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { exitCodes, type ProcessIo, reportFailure } from "@unroll/program";

/** The options of `app-server generate-ts` and `generate-json-schema`. */
export interface SchemaOptions {
  readonly out: string;
  /** Experimental methods, too. */
  readonly experimental?: boolean;
}

/** Writes the protocol into a folder, as TypeScript or as JSON Schema. Returns the exit code. */
export async function writeAppServerSchema(
  kind: "typescript" | "json-schema",
  { out, experimental = false }: SchemaOptions,
  io: ProcessIo,
): Promise<number> {
  const { toJsonSchemaFiles, toTypeScriptFiles } = await import("@unroll/app-server-protocol");
  const files = kind === "typescript" ? toTypeScriptFiles({ experimental }) : toJsonSchemaFiles({ experimental });
  try {
    for (const [name, text] of Object.entries(files)) {
      const path = join(resolve(io.cwd, out), name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
    return exitCodes.completed;
  } catch (error) {
    return reportFailure(error, io);
  }
}
