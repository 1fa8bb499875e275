import { rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { FileLockError, makeLockFile, openPlainFile, readPlainFile, tryToLock } from "@unroll/files";
import { describeThrown } from "@unroll/text";
import { ThreadStoreError } from "../thread-store-error.ts";

/** Held until it is disposed, or the process ends. */
export interface ThreadLock extends AsyncDisposable {
  /** A sentence where the file system has no locks, so that nothing is held; else null. */
  readonly warning: string | null;
}

export interface ThreadToLock {
  /** The path of the thread's file. */
  readonly path: string;
  readonly threadId: string;
  /** Id of this process; other processes report it as the holder. */
  readonly pid: number;
  /** Whether a file system without locks is refused. Default: it is warned about. */
  readonly needsLocks?: boolean | undefined;
}

/** How often to reopen a lock file that its holder has removed meanwhile. */
const mostTries = 100;

/**
 * Holds a thread by a lock on an empty file beside it. The lock ends with the process, and this never waits for it.
 * Throws `ThreadStoreError` `thread_locked` if another process has it, and `no_locks`. Nothing may open the lock file, so a second file
 * names the holder; it is used for messages only.
 */
export async function lockThread(thread: ThreadToLock): Promise<ThreadLock> {
  const file = `${thread.path}.lock`;
  for (let tries = 0; tries < mostTries; tries++) {
    makeLockFile(file);
    const before = await readInode(file);
    const held = await attempt(file);
    if (held === "busy") throw await refuse(thread);
    if (held === "impossible") return goOnWithout(file, thread);
    // a lock on a file that was removed since holds nothing
    const after = await readInode(file);
    if (after !== null && before === after) return keep(held, thread);
    held[Symbol.dispose]();
  }
  throw await refuse(thread);
}

/** Null: another one has it. */
export async function tryToLockThread(thread: ThreadToLock): Promise<ThreadLock | null> {
  try {
    return await lockThread(thread);
  } catch (error) {
    if (error instanceof ThreadStoreError && error.code === "thread_locked") return null;
    throw error;
  }
}

async function goOnWithout(file: string, { needsLocks = false }: ThreadToLock): Promise<ThreadLock> {
  await rm(file, { force: true });
  const fault = `The file system of ${dirname(file)} has no locks, so nothing keeps other processes from resuming this thread.`;
  if (needsLocks) throw new ThreadStoreError("no_locks", `${fault} Keep threads on another disk (CODEX_HOME).`);
  return {
    warning: `${fault} Open it in one process at a time.`,
    [Symbol.asyncDispose]: async () => {},
  };
}

async function keep(held: Disposable, { path, pid }: ThreadToLock): Promise<ThreadLock> {
  await writeHolder(toHolderFile(path), pid).catch(() => {});
  return {
    warning: null,
    async [Symbol.asyncDispose]() {
      try {
        // in this order: who finds no file makes one of their own
        await rm(toHolderFile(path), { force: true });
        await rm(`${path}.lock`, { force: true });
      } finally {
        held[Symbol.dispose]();
      }
    },
  };
}

type Attempt = Disposable | "busy" | "impossible";

async function attempt(file: string): Promise<Attempt> {
  try {
    return (await tryToLock(file)) ?? "busy";
  } catch (error) {
    if (error instanceof FileLockError && error.code === "no_locks") return "impossible";
    const message = `${file} cannot be locked: ${describeThrown(error)}. Remove it if no process has the thread open.`;
    throw new ThreadStoreError("thread_locked", message, { cause: error });
  }
}

/** Null: there is no such file. */
async function readInode(file: string): Promise<bigint | null> {
  const found = await stat(file, { bigint: true }).catch(() => null);
  return found?.ino ?? null;
}

async function writeHolder(file: string, pid: number): Promise<void> {
  await using holder = await openPlainFile(file, "replace");
  await holder.writeFile(`${JSON.stringify({ pid })}\n`);
}

/** Whether a process has the thread open. Takes the lock for a moment. */
export async function isThreadHeld(path: string): Promise<boolean> {
  const file = `${path}.lock`;
  if ((await readInode(file)) === null) return false;
  const held = await attempt(file).catch((): Attempt => "busy");
  if (held === "busy" || held === "impossible") return held === "busy";
  held[Symbol.dispose]();
  return false;
}

function toHolderFile(path: string): string {
  return `${path}.holder`;
}

/** The id of the process that has the thread open; null: unknown. */
export async function readHolder(path: string): Promise<number | null> {
  const found = await readPlainFile(toHolderFile(path)).catch(() => "");
  const [, pid] = /^\{"pid":(\d+)\}/.exec(found) ?? [];
  return pid === undefined ? null : Number(pid);
}

async function refuse({ path, threadId }: ThreadToLock): Promise<ThreadStoreError> {
  const pid = await readHolder(path);
  const who = pid === null ? "another process" : `another process (${pid})`;
  const message = `The thread ${threadId} is open in ${who}. Close it there, read it here (unroll threads show ${threadId}), or continue in a copy (unroll fork ${threadId}).`;
  return new ThreadStoreError("thread_locked", message);
}
