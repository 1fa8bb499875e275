import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "@unroll/flow";
import type {
  JournalEntry,
  ResumedThread,
  StoredJournal,
  StoredThread,
  ThreadMeta,
  ThreadQuery,
  ThreadStore,
  ThreadSummary,
} from "@unroll/protocol";
import { type OpenAppendFile, openAppendFile } from "./file/append-file.ts";
import { type AppendLog, createAppendLog } from "./file/append-log.ts";
import { createFileTail } from "./file/file-tail.ts";
import { createRolloutFolder, type RolloutFolder } from "./file/rollout-folder.ts";
import { lockThread, type ProcessTable } from "./file/thread-lock.ts";
import { createEntryEncoder, type EntryEncoder } from "./line/encode-entry.ts";
import { loadRollout } from "./load/load-rollout.ts";
import { readCwd, readSummary } from "./load/read-summary.ts";
import { ThreadStoreError } from "./thread-store-error.ts";

export interface ThreadStoreOptions {
  /** Absolute; threads are in its `sessions`. */
  readonly codexHome: string;
  readonly clock: Pick<Clock, "now">;
  readonly processes: ProcessTable;
  /** Absent: the file system's. */
  readonly openFile?: OpenAppendFile;
}

/**
 * Threads as files, one each, in the format of the Codex CLI. `settled()` of a journal means that the system has the bytes:
 * they outlast this process, however it ends. They are put on the disk (fdatasync) when the journal is disposed.
 */
export function openThreadStore(options: ThreadStoreOptions): ThreadStore {
  const folder = createRolloutFolder(options.codexHome);
  return {
    create: async (meta) => createNewJournal(meta, folder, options),
    async load(threadId): Promise<StoredThread> {
      const { entries, repairs } = await loadRollout(await findPath(folder, threadId), threadId);
      return { threadId, entries, repairs };
    },
    resume: async (threadId) => resumeThread(threadId, await findPath(folder, threadId), options),
    list: (query) => listThreads(folder, query),
    async find(_which, { cwd } = {}) {
      for await (const { path, threadId } of folder.list()) {
        if (cwd === undefined || (await readCwd(path)) === cwd) return threadId;
      }
      return null;
    },
  };
}

async function findPath(folder: RolloutFolder, threadId: string): Promise<string> {
  const path = await folder.find(threadId);
  if (path !== null) return path;
  throw new ThreadStoreError("thread_missing", `There is no thread ${threadId} in ${folder.root}.`);
}

async function* listThreads(folder: RolloutFolder, { cwd }: ThreadQuery = {}): AsyncGenerator<ThreadSummary, void> {
  for await (const file of folder.list()) {
    const summary = await readSummary(file);
    if (summary !== null && (cwd === undefined || summary.cwd === cwd)) yield summary;
  }
}

async function resumeThread(threadId: string, path: string, options: ThreadStoreOptions): Promise<ResumedThread> {
  const { clock, processes, openFile = openAppendFile } = options;
  await using stack = new AsyncDisposableStack();
  stack.use(await lockThread(path, processes));
  const { entries, added, repairs, length } = await loadRollout(path, threadId);
  async function open(): ReturnType<OpenAppendFile> {
    const file = await openFile(path);
    await file.truncate(length);
    return file;
  }
  const log = stack.use(createAppendLog(createFileTail({ path, open, length })));
  const encoder = createEntryEncoder({ meta: null, clock, before: entries });
  for (const entry of added) log.add(encoder.encode(entry));
  const held = stack.move();
  return { threadId, entries, repairs, journal: toJournal(log, encoder, held) };
}

/** The file is made when the first turn begins: of a thread in which nothing was said nothing is kept. */
function createNewJournal(meta: ThreadMeta, folder: RolloutFolder, options: ThreadStoreOptions): StoredJournal {
  const { clock, processes, openFile = openAppendFile } = options;
  const { path } = folder.pathOf(meta.threadId, clock.now());
  const stack = new AsyncDisposableStack();
  async function open(): ReturnType<OpenAppendFile> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await using opening = new AsyncDisposableStack();
    opening.use(await lockThread(path, processes));
    const file = await openFile(path);
    stack.use(opening.move());
    return file;
  }
  const log = createAppendLog(createFileTail({ path, open, length: 0 }));
  const encoder = createEntryEncoder({ meta, clock, before: [] });
  let early: JournalEntry[] | null = [];

  function release(): void {
    const entries = early ?? [];
    early = null;
    for (const entry of entries) log.add(encoder.encode(entry));
  }

  return {
    record(entry) {
      if (entry.type === "turn.started") release();
      if (early === null) log.add(encoder.encode(entry));
      else early.push(entry);
    },
    settled: () => (early === null ? log.settled() : Promise.resolve()),
    async [Symbol.asyncDispose]() {
      // in this order: the lock is let go when all is written
      await using _ = stack;
      await log[Symbol.asyncDispose]();
    },
  };
}

function toJournal(log: AppendLog, encoder: EntryEncoder, held: AsyncDisposable): StoredJournal {
  return {
    record: (entry) => log.add(encoder.encode(entry)),
    settled: () => log.settled(),
    [Symbol.asyncDispose]: () => held[Symbol.asyncDispose](),
  };
}
