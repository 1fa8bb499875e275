import type { ProcessIo } from "@unroll/program";
import { showHidden } from "@unroll/text";
import { runThreadsCommand } from "./run-threads-command.ts";

/** Returns the exit code: 2 where there is no such thread, or it is open. */
export function repairThread(id: string, io: ProcessIo): Promise<number> {
  return runThreadsCommand(io, async function* ({ upkeep }) {
    const { threadId, path, aside, repairs } = await upkeep.repair(id);
    if (aside === null) {
      yield `Nothing is wrong with ${threadId}.`;
      return;
    }
    for (const repair of repairs) yield showHidden(repair);
    yield `Mended ${path}; as it was before: ${aside}`;
  });
}
