import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import type { McpStdioServerOptions } from "../server-options.ts";
import { ServerFault } from "../session/server-fault.ts";
import { readLines } from "./read-lines.ts";
import { endServerTree, MARKER_VARIABLE } from "./server-tree.ts";
import type { Watchdog } from "./watchdog.ts";

/** A server that runs as a child, in a session and process group of its own. */
export interface ServerProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** How it ended: `exit code 1`, `signal SIGSEGV`. */
  readonly exited: Promise<string>;
  /** Ends it and everything that it started. Resolves when nothing is left and all it said is logged. */
  stop(): Promise<void>;
}

export interface ServerProcessOptions {
  /** Makes an id that no other server has, of letters, digits and `-`. */
  readonly newId: () => string;
  readonly watchdog: Watchdog;
  /** Takes a line of its stderr; the next one is read when this resolves. */
  readonly log: (line: string) => Promise<void>;
}

/** A longer line of stderr is logged in part. */
const MAX_LOG_LINE_BYTES = 64 * 1_024;
/** How long the last of its output may take to be read after its end, in ms. */
const DRAIN_MS = 200;

/** Throws `ServerFault` `not_started`. */
export async function startServerProcess(
  server: McpStdioServerOptions,
  { newId, watchdog, log }: ServerProcessOptions,
): Promise<ServerProcess> {
  const marker = newId();
  const child = await spawnServer(server, marker);
  const { pid, stdin, stdout, stderr } = child;
  const tree = { group: pid, marker };
  watchdog.watch(tree);
  const exited = once(child, "exit").then(([code, signal]: unknown[]) =>
    typeof code === "number" ? `exit code ${code}` : `signal ${String(signal)}`,
  );
  const logged = logLines(stderr, log);
  // What is written to a server that is gone is answered by its end.
  stdin.on("error", () => {});
  let stopping: Promise<void> | undefined;

  async function stop(): Promise<void> {
    stdin.end();
    await endServerTree(tree);
    watchdog.forget(tree);
    // Somebody who was not found may still hold a pipe.
    const timer = setTimeout(() => stderr.destroy(), DRAIN_MS);
    await logged;
    clearTimeout(timer);
    stdout.destroy();
  }

  return { stdin, stdout, exited, stop: () => (stopping ??= stop()) };
}

async function logLines(stderr: Readable, log: (line: string) => Promise<void>): Promise<void> {
  try {
    for await (const line of readLines(stderr, MAX_LOG_LINE_BYTES)) {
      await log(line.type === "line" ? line.text : `${line.head} [... ${line.bytes} bytes ...] ${line.tail}`);
    }
  } catch {
    // The stream was destroyed.
  }
}

type StartedChild = ChildProcessByStdio<Writable, Readable, Readable> & { readonly pid: number };

async function spawnServer(server: McpStdioServerOptions, marker: string): Promise<StartedChild> {
  const secrets = Object.entries(server.env).map(([name, secret]) => [name, secret.reveal()] as const);
  try {
    const child = spawn(server.command, server.args, {
      cwd: server.cwd,
      env: { ...server.inheritedEnv, ...Object.fromEntries(secrets), [MARKER_VARIABLE]: marker },
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    if (hasStarted(child)) return child;
    const failure: readonly unknown[] = await once(child, "error");
    throw failure[0];
  } catch (error) {
    throw new ServerFault("not_started", explainFailure(server, error), { cause: error });
  }
}

function hasStarted(child: ChildProcessByStdio<Writable, Readable, Readable>): child is StartedChild {
  return child.pid !== undefined;
}

function explainFailure({ command, cwd }: McpStdioServerOptions, error: unknown): string {
  if (!isFolder(cwd)) return `its working folder ${cwd} does not exist: correct cwd`;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return `there is no program ${command} on its PATH: install it, or correct command`;
    case "EACCES":
      return `${command} may not be executed: check its permissions, or correct command`;
    default:
      return `${command} could not be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
