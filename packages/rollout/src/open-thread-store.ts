import { existsSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { openPlainFile, readGitFacts } from "@unroll/files";
import type { Clock } from "@unroll/flow";
import type { ResumedThread, StoredJournal, ThreadStore } from "@unroll/protocol";
import { checkShape } from "@unroll/text";
import { checkWritable } from "./file/check-writable.ts";
import { type OpenAppendFile, openAppendFile } from "./file/append-file.ts";
import { type DraftFile, openDraftFile } from "./file/draft-file.ts";
import { createRolloutFolder, findFile, type RolloutFile, type RolloutFolder } from "./file/rollout-folder.ts";
import { lockThread } from "./file/thread-lock.ts";
import { createLateJournal, type LateJournalOptions } from "./journal/late-journal.ts";
import { continueThread, type ThreadToContinue } from "./journal/continue-thread.ts";
import { watchThread } from "./journal/watch-thread.ts";
import { findLastThread, listThreads } from "./list/list-threads.ts";
import { selectThreads } from "./list/select-threads.ts";
import { noteUse } from "./list/use-log.ts";
import { loadRollout } from "./load/load-rollout.ts";
import { readCwd } from "./load/read-summary.ts";
import { toArchivedError, toExistsError } from "./thread-store-error.ts";
import { openThreadUpkeep } from "./upkeep/open-thread-upkeep.ts";

/** The folder of the threads, and the process that uses them. */
export interface ThreadStoreOptions {
  /** Absolute; threads are in its `sessions`. */
  readonly codexHome: string;
  readonly clock: Pick<Clock, "now">;
  /** Id of this process; other processes that want one of its threads report it. */
  readonly pid: number;
  /**
   * Whether a folder without locks (some NFS) is refused, with `ThreadStoreError` `no_locks`: where workers on several machines
   * share the threads. Default: resuming a thread there adds a warning to its `repairs`.
   */
  readonly needsLocks?: boolean | undefined;
  /** Absent: the file system's. */
  readonly openFile?: OpenAppendFile;
}

const required = { codexHome: "text", "clock.now": "a function", pid: "a number" } as const;

/**
 * Threads as files, one each, in the format of the Codex CLI. A new one is there when its first write is whole. `settled()` of a journal means that the system has the bytes:
 * they outlast this process, however it ends. They are put on the disk (fdatasync) when the journal is disposed.
 */
export function openThreadStore(options: ThreadStoreOptions): ThreadStore {
  checkShape("openThreadStore", options, required);
  const folder = createRolloutFolder(options.codexHome);
  const load: ThreadStore["load"] = async (id) => {
    const { path, threadId } = await findFile(folder, id);
    const { mtimeMs: usedAt } = await stat(path); // before it is read: what is written meanwhile may not be in what was
    const { entries, facts, repairs } = await loadRollout(path, { threadId, scope: "all" });
    return { threadId, entries, usedAt, path, facts, repairs };
  };
  return {
    async create(meta, first = []) {
      checkShape("create", meta, { threadId: "text", cwd: "text", userAgent: "text", modelProvider: "text" });
      return createNewJournal({ meta, first }, folder, options);
    },
    load,
    async *watch(id, watching) {
      const file = await findFile(folder, id);
      const measure = async (): Promise<number | null> => (await stat(file.path).catch(() => null))?.size ?? null;
      yield* watchThread({ ...file, measure, open: () => openPlainFile(file.path, "read") }, watching);
    },
    resume: async (id) => resumeThread(await findFile(folder, id), folder, options),
    list: (query = {}) => selectThreads(listThreads(folder, query), query),
    find: (_which, query = {}) => findLastThread(folder, query),
    upkeep: openThreadUpkeep(options),
  };
}

async function resumeThread(
  file: RolloutFile,
  folder: RolloutFolder,
  options: ThreadStoreOptions,
): Promise<ResumedThread> {
  const { clock, pid, needsLocks, openFile = openAppendFile } = options;
  const { path, threadId } = file;
  if (file.isArchived) throw toArchivedError(threadId);
  const lock = await lockThread({ path, threadId, pid, needsLocks });
  async function load(): ReturnType<ThreadToContinue["load"]> {
    const { mtimeMs: usedAt } = await stat(path);
    const loaded = await loadRollout(path, { threadId, scope: "live" });
    return { ...loaded, usedAt, repairs: [...loaded.repairs, ...(lock.warning === null ? [] : [lock.warning])] };
  }
  async function open(): ReturnType<OpenAppendFile> {
    const opened = await openFile(path);
    await noteUse(folder, { file: relative(folder.root, path), threadId, cwd: readCwd(path) });
    return opened;
  }
  return continueThread({ threadId, path, lock, load, open, clock });
}

function createNewJournal(
  begun: Pick<LateJournalOptions, "meta" | "first">,
  folder: RolloutFolder,
  options: ThreadStoreOptions,
): StoredJournal {
  const { clock, pid, needsLocks, openFile = openAppendFile } = options;
  const { threadId, cwd } = begun.meta;
  const path = folder.pathOf(threadId, clock.now());
  const stack = new AsyncDisposableStack();
  let noted = Promise.resolve();
  async function open(): Promise<DraftFile> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch(async (error: unknown) => {
      await checkWritable(dirname(path));
      throw error;
    });
    await using opening = new AsyncDisposableStack();
    opening.use(await lockThread({ path, threadId, pid, needsLocks }));
    if (existsSync(path)) throw toExistsError(threadId, path);
    const file = await openDraftFile(path, openFile);
    stack.use(opening.move());
    return { ...file, publish: () => publish(file) };
  }
  async function publish(file: DraftFile): Promise<void> {
    await file.publish();
    noted = noteUse(folder, { file: relative(folder.root, path), threadId, cwd });
  }
  stack.defer(() => noted);
  return createLateJournal({ path, open, ...begun, readGit: () => readGitFacts(cwd), clock, held: stack });
}
