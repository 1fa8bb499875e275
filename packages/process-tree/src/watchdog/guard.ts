import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";

/** The process behind a watchdog: at the end of a pipe whose only writer is the harness, so the pipe's end is the harness's end. */
export interface Guard {
  readonly isRunning: () => boolean;
  /** A process, or by a negative number a group: as kill(2) takes them. */
  readonly watch: (target: number) => void;
  readonly forget: (target: number) => void;
  /** Resolves when it is gone, with what it watched. */
  readonly close: () => Promise<void>;
}

/** What a guard looks for, and how it ends that. */
export interface GuardOptions {
  /** Is in the environment of every process that it is for. */
  readonly mark: string;
  /** From SIGTERM to SIGKILL. */
  readonly graceSeconds: number;
}

/** A session of its own and an empty environment: neither ^C nor an outer harness that clears up ends it first. */
export const guardSurroundings = { cwd: "/", env: { PATH: "/usr/bin:/bin" }, detached: true } as const;

export function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

/** It must not keep the harness from ending. */
export function unref(guard: ChildProcess): void {
  // Where it does not start there is none; processes run all the same.
  guard.on("error", () => {});
  guard.stdin?.on("error", () => {});
  guard.unref();
  for (const stream of [guard.stdin, guard.stdout]) if (stream instanceof Socket) stream.unref();
}

/** How long it may take to end what it watches, beside the grace for that, in ms. */
const closeMs = 5_000;

/** `farewell`: the last that it is told. Somebody may have stopped it: it goes on first, and is ended where it does not. */
export async function closeGuard(
  guard: ChildProcess,
  { farewell, graceSeconds }: { readonly farewell: string | Uint8Array; readonly graceSeconds: number },
): Promise<void> {
  if (!isRunning(guard)) return;
  guard.ref();
  const exited = once(guard, "exit");
  guard.stdin?.end(farewell);
  guard.kill("SIGCONT");
  const timer = setTimeout(() => guard.kill("SIGKILL"), graceSeconds * 1_000 + closeMs);
  await exited;
  clearTimeout(timer);
}
