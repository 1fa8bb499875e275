import { existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import {
  stopTree,
  within,
  type ChildExit,
  type ProgramSearch,
  type SpawnFailure,
  type StopGraces,
  type Watchdog,
} from "@unroll/process-tree";
import { ServerFault } from "../../fault/server-fault.ts";
import type { ResolvedProgram } from "../../settings/resolved-server.ts";
import { readLines } from "@unroll/text";

/** A server that runs as a child, in a process group of its own. */
export interface ServerProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** How it ended: `exit code 1`, `signal SIGSEGV`. */
  readonly exited: Promise<string>;
  /** Ends it and everything that it started. Resolves when nothing is left and all its output is logged. */
  stop(): Promise<void>;
}

export interface ServerProcessOptions {
  /** Returns a marker that no other server has; see `ProcessTree`. */
  readonly newMarker: () => string;
  readonly watchdog: Watchdog;
  readonly graces: StopGraces & {
    /** In ms: after its end, reading stops once its output has been silent this long. */
    readonly drainMs: number;
  };
  /** Receives a line of its stderr; the next one is read when this resolves. */
  readonly log: (line: string) => Promise<void>;
}

/** A longer line of stderr is logged in part. */
const maxLogLineBytes = 64 * 1_024;
/** How often a process that outlives the server, and was not found, may interrupt that silence. */
const mostDrains = 50;

/** Throws `ServerFault` `not_started`. */
export async function startServerProcess(
  server: ResolvedProgram,
  { newMarker, watchdog, graces, log }: ServerProcessOptions,
  signal: AbortSignal,
): Promise<ServerProcess> {
  const marker = newMarker();
  const { args, cwd } = server;
  const program = server.programs.find(server.command, cwd);
  if (program.type === "missing") throw new ServerFault("not_started", explainMissing(server, program));
  const environment = toEnvironment(server);
  const launch = { file: program.file, args, cwd, environment, inputs: [], reportsStatus: false, marker };
  const start = await watchdog.spawn(launch, "pipes", { fds: [], signal });
  if (start.type === "failed") throw new ServerFault("not_started", explainFailure(server, start));
  const { pid, stdin, outputs, onExit } = start.child;
  const { stdout, stderr } = outputs;
  if (stdin === null || stdout === undefined || stderr === undefined) throw new Error("The server has no pipes.");
  const exited = new Promise<string>((resolve) => onExit((exit) => resolve(describeExit(exit))));
  const logging = startLogging(stderr, log);
  let stopping: Promise<void> | null = null;

  async function stop(): Promise<void> {
    stdin?.end();
    await stopTree({ leader: pid, marker }, graces);
    watchdog.forget(-pid);
    // A process that was not found may still hold a pipe.
    for (let drains = 0; drains < mostDrains; drains += 1) if (await logging.isSilent(graces.drainMs)) break;
    stderr?.destroy();
    stdout?.destroy();
    await logging.ended;
  }

  return { stdin, stdout, exited, stop: () => (stopping ??= stop()) };
}

function toEnvironment({ programs, env }: ResolvedProgram): Readonly<Record<string, string>> {
  const own = Object.entries(env).map(([name, secret]) => [name, secret.reveal()] as const);
  return { ...programs.environment, ...Object.fromEntries(own) };
}

function describeExit({ exitCode, signal }: ChildExit): string {
  return signal === null ? `exit code ${exitCode}` : `signal ${signal}`;
}

interface Logging {
  /** Everything was logged, or the stream was destroyed. Never rejects. */
  readonly ended: Promise<true>;
  /** Waits that long, or until it ends. True: nothing arrived, and everything before is logged. */
  readonly isSilent: (ms: number) => Promise<boolean>;
}

function startLogging(stderr: Readable, log: (line: string) => Promise<void>): Logging {
  let begun = 0;
  let done = 0;

  async function logLines(): Promise<true> {
    try {
      for await (const line of readLines(stderr, maxLogLineBytes)) {
        begun += 1;
        await log(line.type === "line" ? line.text : `${line.head} [... ${line.bytes} bytes ...] ${line.tail}`);
        done += 1;
      }
    } catch {
      // The stream was destroyed.
    }
    return true;
  }

  const ended = logLines();
  return {
    ended,
    async isSilent(ms) {
      const before = begun;
      return (await within(ms, ended)) ?? (begun === before && done === begun);
    },
  };
}

function explainMissing(
  { command, cwd }: ResolvedProgram,
  { passedOver }: Extract<ProgramSearch, { readonly type: "missing" }>,
): string {
  if (!existsSync(cwd)) return `its working folder ${cwd} does not exist: correct cwd`;
  return passedOver === null
    ? `there is no program ${command} on its PATH: install it, or correct command`
    : `${passedOver} is not started, since a project can put programs there: if you want that one, name its whole path in command`;
}

/** Names the keys of the config that may be wrong. */
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
