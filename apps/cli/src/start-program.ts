import { createNodeProcessIo, exitCodes, flushOutput } from "@unroll/program";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import { runProgram } from "./program.ts";
import type { ProgramName } from "./version.ts";

export { describeSystemError };

/** How long a reader may still take what was written, once a signal has ended the run. In ms. */
const lastFlushMs = 1000;

export interface StartOptions {
  readonly args: readonly string[];
  readonly name: ProgramName;
  /** As of `ProcessIo`. */
  readonly ownFolders: readonly string[];
  /** Faults that are found before there is a program. */
  readonly complain: (text: string) => void;
}

/** Runs a command line in this process; returns its exit code when all that was written has been handed over, or could not be. */
export async function startProgram({ args, name, ownFolders, complain }: StartOptions): Promise<number> {
  const io = createNodeProcessIo(ownFolders);
  if (io === null) {
    complain("the current folder no longer exists: change to another one.");
    return exitCodes.usage;
  }
  const errors: Error[] = [];
  io.stdout.stream.once("error", (error) => void errors.push(error));
  const exitCode = await runProgram(args, io, name);
  const limit = exitCode > 128 ? AbortSignal.timeout(lastFlushMs) : new AbortController().signal;
  await flushOutput(io, limit);
  const [broken] = errors;
  if (broken === undefined) return exitCode;
  const isClosed = systemErrorCode(broken) === "EPIPE";
  if (!isClosed) complain(`stdout cannot be written: ${describeSystemError(broken)}.`);
  if (exitCode !== exitCodes.completed) return exitCode;
  return isClosed ? exitCodes.SIGPIPE : exitCodes.failed;
}
