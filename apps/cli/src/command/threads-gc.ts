import type { ProcessIo } from "@unroll/program";
import { showHidden } from "@unroll/text";
import { renderAge } from "@unroll/report";
import { confirmRemoval } from "./confirm-removal.ts";
import { runThreadsCommand, type ThreadFiles } from "./run-threads-command.ts";

export interface CollectFlags {
  /** Days. */
  readonly olderThan: number;
  readonly archived?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

type Collected = ReturnType<ThreadFiles["upkeep"]["collect"]> extends AsyncIterable<infer Thread> ? Thread : never;

const dayMs = 24 * 60 * 60 * 1000;

/** Returns the exit code: 2 where nobody can be asked; nothing is deleted then. */
export function collectThreads(flags: CollectFlags, io: ProcessIo): Promise<number> {
  const { olderThan, archived = false, dryRun = false, force = false } = flags;
  return runThreadsCommand(io, async function* ({ upkeep, signal }) {
    const found: Collected[] = [];
    const usedBefore = io.now() - olderThan * dayMs;
    for await (const thread of upkeep.collect({ usedBefore, archived })) {
      if (signal.aborted) return;
      found.push(thread);
      if (dryRun || force) yield toText(thread, io);
    }
    const size = found.reduce((sum, thread) => sum + thread.size, 0);
    const what = `${found.length === 1 ? "1 thread" : `${found.length} threads`}, ${toSize(size)}`;
    if (found.length === 0) {
      yield `No thread was left alone for ${olderThan} days.`;
      if (!dryRun) yield* sweep(upkeep);
      return;
    }
    if (dryRun) {
      yield `Would delete ${what}.`;
      return;
    }
    const list = found.map((thread) => toText(thread, io));
    if (!force && !(await confirmRemoval(list, io, signal))) {
      yield "Nothing was deleted.";
      return;
    }
    let deleted = 0;
    for (const { threadId, usedAt } of found) if (await removeUnused({ upkeep, threadId, usedAt })) deleted += 1;
    yield deleted === found.length
      ? `Deleted ${what}.`
      : `Deleted ${deleted} of ${what}: the others were opened meanwhile.`;
    yield* sweep(upkeep);
  });
}

async function* sweep(upkeep: ThreadFiles["upkeep"]): AsyncGenerator<string, void> {
  const count = await upkeep.sweep();
  if (count === 0) return;
  yield `Removed what was left of ${count === 1 ? "1 thread" : `${count} threads`} that ended before anything of it was kept.`;
}

interface Unused extends Pick<ThreadFiles, "upkeep"> {
  readonly threadId: string;
  readonly usedAt: number;
}

/** False: somebody has it open now. */
async function removeUnused({ upkeep, threadId, usedAt }: Unused): Promise<boolean> {
  try {
    return await upkeep.removeUnused(threadId, usedAt);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "thread_locked") return false;
    throw error;
  }
}

function toText({ threadId, usedAt, size, isArchived, summary }: Collected, io: ProcessIo): string {
  const columns = [
    threadId,
    `used ${renderAge(io.now() - usedAt)}`,
    toSize(size),
    ...(isArchived ? ["archived"] : []),
    summary?.cwd ?? "?",
    summary?.name ?? summary?.title ?? "",
  ];
  return showHidden(columns.join("  ").trimEnd());
}

function toSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
