import type { KeyCommandResult } from "@unroll/auth";
import { forEach } from "@unroll/flow";
import { createWatchdog, startProcess } from "@unroll/process-tree";
import type { Host } from "../host/host.ts";

/** Far more than a key has. */
const maxOutputBytes = 256 * 1024;

export interface KeyCommand {
  /** Not empty. */
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  /** Absolute; null: the home folder. */
  readonly cwd: string | null;
  /** See `findStateFolder`. */
  readonly stateFolder: string;
}

/**
 * Runs a program of the user's, with the user's whole environment and without walls: the config names it, which no project can
 * write. Nothing of what it starts is left; what it says on stderr is read by nobody.
 */
export async function runKeyCommand(
  { argv, timeoutMs, cwd, stateFolder }: KeyCommand,
  host: Host,
): Promise<KeyCommandResult> {
  const [file = "", ...args] = argv;
  const marker = `key-${host.newId()}.`;
  const environment = Object.fromEntries(
    Object.entries(host.env).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const watchdog = createWatchdog(marker, 0);
  try {
    const launch = {
      file,
      args,
      cwd: cwd ?? host.homeDirectory,
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
        signal: new AbortController().signal, // bounded in time; who was waiting may be gone, the next one will want it
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
