import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";

/**
 * The process behind a watchdog. It reads a pipe that only the harness writes, so the pipe ends
 * when the harness does.
 */
export interface Guard {
  readonly isRunning: () => boolean;
  /** A process, or a group as a negative number, as for kill(2). */
  readonly watch: (target: number) => void;
  readonly forget: (target: number) => void;
  /** Resolves when it is gone, together with what it watched. */
  readonly close: () => Promise<void>;
}

/** How a guard finds processes, and how it ends them. */
export interface GuardOptions {
  /** Part of the environment of every process that it is for. */
  readonly mark: string;
  /** From SIGTERM to SIGKILL. */
  readonly graceSeconds: number;
}

/**
 * A session of its own and an empty environment, so that neither ^C nor an outer harness's cleanup
 * ends it first.
 */
export const guardSurroundings = { cwd: "/", env: { PATH: "/usr/bin:/bin" }, detached: true } as const;

export function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

/** It must not keep the harness from ending. */
export function unref(guard: ChildProcess): void {
  // If it cannot start, there is none; processes run anyway.
  guard.on("error", () => {});
  guard.stdin?.on("error", () => {});
  guard.unref();
  for (const stream of [guard.stdin, guard.stdout]) if (stream instanceof Socket) stream.unref();
}

/** In ms: how long it may take to end what it watches, besides the grace for that. */
const closeMs = 5_000;

/**
 * `farewell`: the last message to it. If it was stopped (SIGSTOP), it is continued first, and
 * killed if that does not help.
 */
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
