import {
  type CompactionPreview,
  type Host,
  openThread,
  previewStoredCompaction,
  type ResolvedConfig,
  type Thread,
  type ThreadOptions,
} from "@unroll/harness";
import type { EpochOpenedEvent, JournalEntry, ThreadEvent, ThreadStore, TurnOutcome } from "@unroll/protocol";

/** A saved thread that no process has open. */
export interface ThreadTarget {
  /** Its id or the id's beginning; `last`: the working folder's latest thread. */
  readonly id: string;
  readonly store: ThreadStore;
  readonly config: ResolvedConfig;
  readonly host: Host;
  readonly userAgent: string;
  readonly signal: AbortSignal;
  /** As that of `ThreadOptions`. Absent: `config` names the model. */
  readonly loadModel?: ThreadOptions["loadModel"];
}

/** Shows what would remain after compacting a saved thread. The thread is not opened, and no server is contacted. */
export async function previewCompaction(
  entries: readonly JournalEntry[],
  config: ResolvedConfig,
  loadModel?: ThreadTarget["loadModel"],
): Promise<CompactionPreview> {
  const opened = entries.findLast((entry) => entry.type === "thread.opened");
  const own = opened === undefined ? config : await loadModel?.(opened, config);
  return previewStoredCompaction(entries, own ?? config);
}

/** Compacts a saved thread; `focus`: what the summary should focus on. Throws what opening a thread throws. */
export async function* compactThread(
  kept: ThreadTarget,
  focus: string | null,
): AsyncGenerator<ThreadEvent, TurnOutcome> {
  await using thread = await openKept(kept);
  return yield* thread.compact({ signal: kept.signal, ...(focus !== null && { focus }) });
}

/** Undoes the last compaction of a saved thread. Throws `HarnessError` where there is none to take back. */
export async function undoCompaction(kept: ThreadTarget): Promise<EpochOpenedEvent> {
  await using thread = await openKept(kept);
  const events = thread.events();
  await thread.undoCompaction();
  for await (const { event } of events) if (event.type === "epoch.opened") return event;
  throw new Error("The thread ended before it reported the new epoch.");
}

/** Without MCP servers: no tool is called. */
function openKept({ id, store, config, host, userAgent, signal, loadModel }: ThreadTarget): Promise<Thread> {
  const place = { host: { ...host, cwd: config.cwd }, config: { ...config, mcpServers: [] } };
  return openThread({ ...place, userAgent, store, resume: id, signal, ...(loadModel && { loadModel }) });
}
