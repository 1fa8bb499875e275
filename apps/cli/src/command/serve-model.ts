import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";
import { findPipeFault, type ProcessIo, ProgramError } from "@unroll/program";
import {
  loadScript,
  type Script,
  type ScriptedModel,
  ScriptedModelError,
  startDemoModel,
  startScriptedModel,
} from "@unroll/scripted-model";
import { describeSystemError, systemErrorCode } from "@unroll/text";

/** The flags of `unroll model`. */
export interface ModelFlags {
  /** Absent: the demo model. */
  readonly script?: string;
  /** Absent: a free one. */
  readonly port?: number;
  /** Written at the end: the bodies of all requests, byte for byte, one a line. Absent: nothing is written. */
  readonly log?: string;
}

/**
 * Serves until a signal comes; the base URL is the first line on stdout. Returns the exit code: 1 when a request broke a
 * law of the API or of the script, 2 when the script or the port is not available. Throws `ProgramError`
 * where the log cannot be written, before anything is served.
 */
export async function serveModel(options: ModelFlags, io: ProcessIo): Promise<number> {
  const stopped = Promise.withResolvers<void>();
  const unwatch = io.onSignal(() => stopped.resolve());
  try {
    const script = options.script === undefined ? null : await loadScript(resolve(io.cwd, options.script));
    await using server = await startModel(script, options);
    // behind the port: a file that is there is not emptied for a server that never was
    await using log = options.log === undefined ? null : await openLog(options.log, io.cwd);
    io.stdout.stream.write(`${server.url}\n`);
    await stopped.promise;
    await server.close();
    await log?.writeFile(toLines(server));
    for (const { request, rule, message } of server.violations) {
      io.stderr.stream.write(`request ${request} broke ${rule}: ${message}\n`);
    }
    return server.violations.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ScriptedModelError)) throw error;
    io.stderr.stream.write(`unroll: ${error.message}\n`);
    return 2;
  } finally {
    unwatch();
  }
}

function toLines({ requests }: ScriptedModel): string {
  return requests.map((request) => `${request.raw.toString("utf8")}\n`).join("");
}

async function openLog(file: string, cwd: string): Promise<FileHandle> {
  const path = resolve(cwd, file);
  const fault = await findPipeFault(path);
  if (fault !== null) throw new ProgramError("input", `--log ${file}: cannot be written: ${fault}.`);
  try {
    return await open(path, "w");
  } catch (error) {
    const reason = systemErrorCode(error) === "ENOENT" ? "its folder does not exist" : describeSystemError(error);
    throw new ProgramError("input", `--log ${file}: cannot be written: ${reason}.`, { cause: error });
  }
}

async function startModel(script: Script | null, { port }: ModelFlags): Promise<ScriptedModel> {
  const serving = { allowViolations: true, ...(port === undefined ? {} : { port }) };
  return script === null ? startDemoModel(serving) : startScriptedModel({ script, ...serving });
}
