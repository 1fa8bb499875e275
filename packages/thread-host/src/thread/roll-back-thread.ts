import type { JournalEntry, StoredThread, ThreadStore } from "@unroll/protocol";
import { ThreadHostError } from "../thread-host-error.ts";
import { takeBackTurns } from "../history/take-back-turns.ts";
import type { FollowedOpening, ThreadRequest } from "./open-followed-thread.ts";
import { orMissing } from "./or-missing.ts";
import type { ServedThread } from "./served-thread.ts";

/** What it takes of a front end. */
interface RollBackParts {
  find(threadId: string): ServedThread;
  open(request: ThreadRequest): Promise<FollowedOpening>;
  close(threadId: string): Promise<void>;
  load(threadId: string): Promise<StoredThread>;
  openStore(): Promise<ThreadStore>;
}

interface RollBack {
  readonly threadId: string;
  readonly turns: number;
  /** As it was opened. */
  readonly request: Omit<ThreadRequest, "origin">;
}

/** One of which turns were taken back. */
export interface RolledBackThread extends FollowedOpening {
  /** What is kept of it, with that; null: nothing is. */
  readonly stored: StoredThread | null;
}

/** It is closed, its journal is written on, and it is opened anew: all that it was told is read again from there. */
export async function rollBackThread(
  parts: RollBackParts,
  { threadId, turns, request }: RollBack,
): Promise<RolledBackThread> {
  const { id, isEphemeral, isRunning, config } = parts.find(threadId);
  if (isRunning)
    throw new ThreadHostError("turn_runs", "A turn runs in this thread: interrupt it, or wait for its end.");
  if (isEphemeral)
    throw new ThreadHostError("not_kept", "Nothing of this thread is kept, so no turn of it can be taken back.");
  await parts.close(id);
  const before = await orMissing(parts.load(id));
  if (before !== null) await write(takeBackTurns(before.entries, turns), id, await parts.openStore());
  const stored = before && (await parts.load(id));
  const opened = await parts.open({
    ...request,
    origin: stored === null ? { type: "new", isEphemeral, id } : { type: "resumed", stored },
  });
  const { cwd, approvalPolicy, approvalQuestions, sandboxSettings, reasoningEffort, reasoningSummary } = config;
  const approvals = { approvalPolicy, approvalQuestions };
  opened.thread.change({ cwd, ...approvals, sandboxSettings, reasoningEffort, reasoningSummary });
  return { ...opened, stored };
}

async function write(entries: readonly JournalEntry[], threadId: string, store: ThreadStore): Promise<void> {
  if (entries.length === 0) return;
  const { journal } = await store.resume(threadId);
  await using held = journal;
  for (const entry of entries) held.record(entry);
  await held.settled();
}
