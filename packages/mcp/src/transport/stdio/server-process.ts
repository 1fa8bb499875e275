import type { Readable, Writable } from "node:stream";
import { stopTree, type ChildExit, type SpawnFailure, type StopGraces, type Watchdog } from "@unroll/process-tree";
import { ServerFault } from "../../fault/server-fault.ts";
import type { ResolvedProgram } from "../../settings/resolved-server.ts";
import { readLines } from "./read-lines.ts";

/** A server that runs as a child, in a process group of its own. */
export interface ServerProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** How it ended: `exit code 1`, `signal SIGSEGV`. */
  readonly exited: Promise<string>;
  /** Ends it and everything that it started. Resolves when nothing is left and all it said is logged. */
  stop(): Promise<void>;
}

export interface ServerProcessOptions {
  /** Makes a marker that no other server has; see `ProcessTree`. */
  readonly newMarker: () => string;
  readonly watchdog: Watchdog;
  readonly graces: StopGraces & {
    /** For the last of its output to be read after its end, in ms. */
    readonly drainMs: number;
  };
  /** Takes a line of its stderr; the next one is read when this resolves. */
  readonly log: (line: string) => Promise<void>;
}

/** A longer line of stderr is logged in part. */
const maxLogLineBytes = 64 * 1_024;

/** Throws `ServerFault` `not_started`. */
export async function startServerProcess(
  server: ResolvedProgram,
  { newMarker, watchdog, graces, log }: ServerProcessOptions,
  signal: AbortSignal,
): Promise<ServerProcess> {
  const marker = newMarker();
  const { command: file, args, cwd } = server;
  const environment = toEnvironment(server);
  const launch = { file, args, cwd, environment, inputs: [], reportsStatus: false, marker };
  const start = await watchdog.spawn(launch, "pipes", { fds: [], signal });
  if (start.type === "failed") throw new ServerFault("not_started", explainFailure(server, start));
  const { pid, stdin, outputs, onExit } = start.child;
  const { stdout, stderr } = outputs;
  if (stdin === null || stdout === undefined || stderr === undefined) throw new Error("The server has no pipes.");
  const exited = new Promise<string>((resolve) => onExit((exit) => resolve(describeExit(exit))));
  const logged = logLines(stderr, log);
  let stopping: Promise<void> | null = null;

  async function stop(): Promise<void> {
    stdin?.end();
    await stopTree({ leader: pid, marker }, graces);
    watchdog.forget(pid);
    // Somebody who was not found may still hold a pipe.
    const timer = setTimeout(() => stderr?.destroy(), graces.drainMs);
    await logged;
    clearTimeout(timer);
    stdout?.destroy();
  }

  return { stdin, stdout, exited, stop: () => (stopping ??= stop()) };
}

function toEnvironment({ inheritedEnv, env }: ResolvedProgram): Readonly<Record<string, string>> {
  const own = Object.entries(env).map(([name, secret]) => [name, secret.reveal()] as const);
  return { ...inheritedEnv, ...Object.fromEntries(own) };
}

function describeExit({ exitCode, signal }: ChildExit): string {
  return signal === null ? `exit code ${exitCode}` : `signal ${signal}`;
}

async function logLines(stderr: Readable, log: (line: string) => Promise<void>): Promise<void> {
  try {
    for await (const line of readLines(stderr, maxLogLineBytes)) {
      await log(line.type === "line" ? line.text : `${line.head} [... ${line.bytes} bytes ...] ${line.tail}`);
    }
  } catch {
    // The stream was destroyed.
  }
}

/** By the keys of the config that may be wrong. */
function explainFailure({ command, cwd }: ResolvedProgram, { reason, message }: SpawnFailure): string {
  switch (reason) {
    case "folder_missing":
      return `its working folder ${cwd} does not exist: correct cwd`;
    case "program_missing":
      return `there is no program ${command} on its PATH: install it, or correct command`;
    case "not_executable":
      return `${command} may not be executed: check its permissions, or correct command`;
    case "arguments_too_long":
    case "other":
      return message.replace(/\.$/, "");
  }
}
