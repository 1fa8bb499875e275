import type { ProcessIo } from "./process-io.ts";

/** By what a run was stopped from outside. */
export interface Interruption extends Disposable {
  readonly signal: AbortSignal;
  /** The exit code that tells it, 128 + N; null while nothing stopped the run. */
  readonly exitCode: number | null;
  /** Nobody reads what we write: as SIGPIPE would stop us. */
  readerGone(): void;
}

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGPIPE: 141, SIGTERM: 143 } as const;

/** The first signal interrupts the turn, which then ends in order; a second one ends the process at once. */
export function watchInterruption(io: ProcessIo): Interruption {
  const controller = new AbortController();
  let exitCode: number | null = null;
  function interrupt(code: number): void {
    exitCode ??= code;
    controller.abort();
  }
  const unwatch = io.onSignal((signal) => {
    if (exitCode !== null) io.exitNow(exitCodes[signal]);
    interrupt(exitCodes[signal]);
  });
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    readerGone: () => interrupt(exitCodes.SIGPIPE),
    [Symbol.dispose]: unwatch,
  };
}
