import { systemErrorCode } from "@unroll/text";
import { exitCodes } from "./failure/exit-codes.ts";
import type { ProcessIo } from "./io/process-io.ts";

/** Whether something outside stopped the run, and how. */
export interface Interruption extends Disposable {
  readonly signal: AbortSignal;
  /** The exit code that tells it, 128 + N; null while nothing stopped the run. */
  readonly exitCode: number | null;
  /** Whether what was written did not arrive. */
  readonly isOutputBroken: boolean;
  /**
   * stdout can no longer be written: nobody reads it, which stops us like SIGPIPE, or the disk is full, which the
   * program reports.
   */
  outputBroken(error: Error): void;
}

/** One ^C may come twice, from the terminal and through npm: within this time, in ms, that is one. */
const sameSignalMs = 500;

/** The first signal interrupts the turn, which then ends in order; a second one ends the process at once. */
export function watchInterruption(io: ProcessIo): Interruption {
  const controller = new AbortController();
  let exitCode: number | null = null;
  let isOutputBroken = false;
  function interrupt(code: number): void {
    exitCode ??= code;
    controller.abort();
  }
  let firstAt: number | null = null;
  const unwatch = io.onSignal((signal) => {
    const now = io.elapsed();
    if (firstAt !== null && now - firstAt > sameSignalMs) io.exitNow(exitCodes[signal]);
    firstAt ??= now;
    interrupt(exitCodes[signal]);
  });
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    get isOutputBroken() {
      return isOutputBroken;
    },
    outputBroken(error) {
      isOutputBroken = true;
      interrupt(systemErrorCode(error) === "EPIPE" ? exitCodes.SIGPIPE : exitCodes.failed);
    },
    [Symbol.dispose]: unwatch,
  };
}
