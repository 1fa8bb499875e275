import type { ProcessIo } from "@unroll/program";
import { runThreadsCommand } from "./run-threads-command.ts";

/** Returns the exit code: 2 where one is not there or is open; those before it are archived then. */
export function archiveThreads(ids: readonly string[], io: ProcessIo): Promise<number> {
  return runThreadsCommand(io, async function* ({ upkeep }) {
    for (const id of ids) {
      const { threadId, path } = await upkeep.archive(id);
      yield `archived ${threadId}: ${path}`;
    }
  });
}

/** Returns the exit code, as `archiveThreads` does. */
export function unarchiveThreads(ids: readonly string[], io: ProcessIo): Promise<number> {
  return runThreadsCommand(io, async function* ({ upkeep }) {
    for (const id of ids) {
      const { threadId, path } = await upkeep.unarchive(id);
      yield `taken back ${threadId}: ${path}`;
    }
  });
}
