import { resolveCodexHome } from "@unroll/config";
import {
  createLineWriter,
  exitCodes,
  foldOutput,
  openProgramStore,
  openProgramUpkeep,
  type ProcessIo,
  reportFailure,
  watchInterruption,
} from "@unroll/program";
import type { ThreadStore } from "@unroll/protocol";

export interface ThreadFiles {
  readonly store: ThreadStore;
  readonly upkeep: Awaited<ReturnType<typeof openProgramUpkeep>>;
  /** Aborts at ^C, and where nobody reads what is written. */
  readonly signal: AbortSignal;
}

interface CommandOutput {
  /** The lines are for a program. */
  readonly json?: boolean;
}

/**
 * Writes the lines of a subcommand to stdout, as they come and in rows that fit a terminal, until nobody reads them; returns its
 * exit code.
 */
export async function runThreadsCommand(
  io: ProcessIo,
  listLines: (files: ThreadFiles) => AsyncIterable<string>,
  { json = false }: CommandOutput = {},
): Promise<number> {
  using interruption = watchInterruption(io);
  const { signal } = interruption;
  const onBroken = (error: Error): void => interruption.outputBroken(error);
  const stdout = createLineWriter(io.stdout.stream, { stopped: signal, onBroken });
  const codexHome = resolveCodexHome(io.env, io.cwd);
  try {
    const [store, upkeep] = [await openProgramStore(codexHome, io), await openProgramUpkeep(codexHome, io)];
    for await (const line of listLines({ store, upkeep, signal })) {
      if (signal.aborted) break;
      await stdout.write(`${json ? line : foldOutput(line, io.stdout)}\n`);
    }
    await stdout.flush();
    return interruption.exitCode ?? exitCodes.completed;
  } catch (error) {
    await stdout.flush();
    return interruption.exitCode ?? reportFailure(error, io);
  }
}
