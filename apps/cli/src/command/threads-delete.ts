import type { ProcessIo } from "@unroll/program";
import { confirmRemoval } from "./confirm-removal.ts";
import { runThreadsCommand } from "./run-threads-command.ts";

export interface DeleteFlags {
  readonly force?: boolean;
}

/** Returns the exit code: 2 where one is not there or is open, or nobody can be asked; nothing is deleted then. */
export function deleteThreads(ids: readonly string[], { force = false }: DeleteFlags, io: ProcessIo): Promise<number> {
  return runThreadsCommand(io, async function* ({ upkeep, signal }) {
    const found = new Map<string, string>();
    for (const id of ids) {
      const { threadId, path } = await upkeep.find(id);
      found.set(threadId, path);
    }
    const list = [...found].map(([threadId, path]) => `${threadId}: ${path}`);
    if (!force && !(await confirmRemoval(list, io, signal))) {
      yield "Nothing was deleted.";
      return;
    }
    for (const threadId of found.keys()) {
      await upkeep.remove(threadId);
      yield `deleted ${threadId}`;
    }
  });
}
