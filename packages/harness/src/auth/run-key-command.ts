import type { KeyCommandResult } from "@unroll/auth";
import { forEach } from "@unroll/flow";
import { createWatchdog, openPrograms, startProcess } from "@unroll/process-tree";
import type { Host } from "../host/host.ts";

/** Far more than a key needs. */
const maxOutputBytes = 256 * 1024;

export interface KeyCommand {
  /** Not empty. */
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  /** Absolute; null: the home folder. */
  readonly cwd: string | null;
  /** See `findStateFolder`. */
  readonly stateFolder: string;
  /** See `listProjectFolders`. */
  readonly projects: readonly string[];
}

/**
 * Runs a program of the user with the user's whole environment and no sandbox. The config names it,
 * and no project can write that part; on PATH, folders that a project can fill are skipped. Nothing
 * that it starts is left running; its stderr is not read.
 */
export async function runKeyCommand(
  { argv, timeoutMs, cwd: ownCwd, stateFolder, projects }: KeyCommand,
  host: Host,
): Promise<KeyCommandResult> {
  const [name = "", ...args] = argv;
  const cwd = ownCwd ?? host.homeDirectory;
  const { environment, find } = openPrograms({ env: host.env, cwd: host.cwd, projects });
  const program = find(name, cwd);
  if (program.type === "missing") return { type: "failed", reason: toClause(program.message) };
  const marker = `key-${host.newId()}.`;
  const watchdog = createWatchdog(marker, 0);
  try {
    const launch = {
      file: program.file,
      args,
      cwd,
      environment,
      inputs: [],
      reportsStatus: false,
      marker: `${marker}1`,
    };
    const start = await startProcess(
      launch,
      { type: "output" },
      {
        timeoutMs,
        maxOutputBytes,
        signal: new AbortController().signal, // limited in time; the caller may leave, but the next one will want the key
        elapsed: host.elapsed,
        watchdog,
        stateFolder,
      },
    );
    if (start.type === "failed") return { type: "failed", reason: toClause(start.message) };
    let stdout = "";
    const { reason, exit } = await forEach(start.process.output, ({ stream, text }) => {
      if (stream === "stdout" && stdout.length < maxOutputBytes) stdout += text;
    });
    if (reason !== "exited") return { type: "failed", reason: `it took longer than ${timeoutMs} ms` };
    return { type: "exited", exitCode: exit?.exitCode ?? 1, stdout };
  } finally {
    await watchdog.close();
  }
}

function toClause(message: string): string {
  return message.replace(/\.$/, "").replace(/^There is/, "there is");
}
