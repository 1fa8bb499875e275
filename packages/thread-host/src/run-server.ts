import { scrubInheritedFds } from "@unroll/process-tree";
import { exitCodes, type Interruption, type ProcessIo, reportFailure, watchInterruption } from "@unroll/program";

/**
 * Runs a program that serves others until `serve` is done, which ends when the interruption comes. Gives the exit code: 0 it is
 * done, 2 the command line or the config is wrong, 128 + N stopped by signal N.
 */
export async function runServer(
  io: ProcessIo,
  serve: (interruption: Interruption) => Promise<unknown>,
): Promise<number> {
  using interruption = watchInterruption(io);
  const channel = io.env["NODE_CHANNEL_FD"];
  scrubInheritedFds(channel === undefined ? [] : [Number(channel)]);
  try {
    await serve(interruption);
    return interruption.exitCode ?? exitCodes.completed;
  } catch (error) {
    return interruption.exitCode ?? reportFailure(error, io);
  }
}
