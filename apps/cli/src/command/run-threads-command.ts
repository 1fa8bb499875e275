import { resolveCodexHome } from "@unroll/config";
import {
  createLineWriter,
  exitCodes,
  openProgramStore,
  type ProcessIo,
  reportFailure,
  watchInterruption,
} from "@unroll/program";
import type { ThreadStore } from "@unroll/protocol";

/** Writes the lines of a subcommand to stdout, as they come, until nobody reads them; returns its exit code. */
export async function runThreadsCommand(
  io: ProcessIo,
  listLines: (store: ThreadStore) => AsyncIterable<string>,
): Promise<number> {
  using interruption = watchInterruption(io);
  const { signal } = interruption;
  const onBroken = (error: Error): void => interruption.outputBroken(error);
  const stdout = createLineWriter(io.stdout.stream, { stopped: signal, onBroken });
  try {
    const store = await openProgramStore(resolveCodexHome(io.env, io.cwd), io);
    for await (const line of listLines(store)) {
      if (signal.aborted) break;
      await stdout.write(`${line}\n`);
    }
    await stdout.flush();
    return interruption.exitCode ?? exitCodes.completed;
  } catch (error) {
    return interruption.exitCode ?? reportFailure(error, io);
  }
}
