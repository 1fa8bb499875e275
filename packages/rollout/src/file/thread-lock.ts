import { closeSync, openSync } from "node:fs";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import { describeThrown, systemErrorCode } from "@unroll/text";
import { ThreadStoreError } from "../thread-store-error.ts";

/** Held until it is disposed, or the process ends. */
export interface ThreadLock extends AsyncDisposable {
  /** A sentence where the file system has no locks, so that nothing is held; else null. */
  readonly warning: string | null;
}

export interface ThreadToLock {
  /** Of its file. */
  readonly path: string;
  readonly threadId: string;
  /** Of this process: what another one is told. */
  readonly pid: number;
}

/** How often a lock file that its holder removed meanwhile is opened anew. */
const mostTries = 100;

/**
 * Holds a thread by a lock of the kernel on an empty file beside it. The kernel lets go of it however the process ends, and
 * knows it in every container that sees the file, where a process id would mean nothing. Node.js reaches such a lock by
 * SQLite alone, which never waits for it here. Throws `ThreadStoreError` `thread_locked` where another one has it.
 *
 * Nothing else may open the lock file in this process: closing any handle of a file lets go of the process's locks on it
 * (fcntl_locking(2)). So who holds it stands in a second file, which is only told and never judged by.
 */
export async function lockThread(thread: ThreadToLock): Promise<ThreadLock> {
  const file = `${thread.path}.lock`;
  for (let tries = 0; tries < mostTries; tries++) {
    makeFile(file);
    const before = await readInode(file);
    const held = await tryToHold(file);
    if (held === "busy") throw await refuse(thread);
    if (held === "impossible") return { warning: toWarning(file), [Symbol.asyncDispose]: () => Promise.resolve() };
    // a lock on a file that was removed since holds nothing
    const after = await readInode(file);
    if (after !== null && before === after) return keep(held, thread);
    held.close();
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

/** In one breath: see `lockThread` on handles. */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  }
}

async function keep(held: DatabaseSync, { path, pid }: ThreadToLock): Promise<ThreadLock> {
  await writeFile(toHolderFile(path), `${JSON.stringify({ pid })}\n`, { mode: 0o600 }).catch(() => {});
  return {
    warning: null,
    async [Symbol.asyncDispose]() {
      try {
        // in this order: who finds no file makes one of their own
        await rm(toHolderFile(path), { force: true });
        await rm(`${path}.lock`, { force: true });
      } finally {
        held.close();
      }
    },
  };
}

type Attempt = DatabaseSync | "busy" | "impossible";

const sqlite = { busy: 5, ioError: 10, noLargeFiles: 22 };
const lowByte = 0xff; // above it, extended result codes say more

async function tryToHold(file: string): Promise<Attempt> {
  const { DatabaseSync } = await import("node:sqlite");
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec("PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE"); // nothing is ever written to it
    return database;
  } catch (error) {
    database?.close();
    const code = readResultCode(error);
    if (code === sqlite.busy) return "busy";
    if (code === sqlite.ioError || code === sqlite.noLargeFiles) return "impossible";
    const message = `${file} cannot be locked: ${describeThrown(error)}. Remove it if no process has the thread open.`;
    throw new ThreadStoreError("thread_locked", message, { cause: error });
  }
}

/** Of SQLite; null for any other error. */
function readResultCode(error: unknown): number | null {
  const has = error instanceof Error && "errcode" in error && typeof error.errcode === "number";
  return has ? Number(error.errcode) & lowByte : null;
}

/** Null: there is no such file. */
async function readInode(file: string): Promise<bigint | null> {
  const found = await stat(file, { bigint: true }).catch(() => null);
  return found?.ino ?? null;
}

/** Whether a process has the thread open. Takes the lock for a moment. */
export async function isThreadHeld(path: string): Promise<boolean> {
  const file = `${path}.lock`;
  if ((await readInode(file)) === null) return false;
  const held = await tryToHold(file).catch((): Attempt => "busy");
  if (held === "busy" || held === "impossible") return held === "busy";
  held.close();
  return false;
}

function toHolderFile(path: string): string {
  return `${path}.holder`;
}

async function refuse({ path, threadId }: ThreadToLock): Promise<ThreadStoreError> {
  const found = await readFile(toHolderFile(path), "utf8").catch(() => "");
  const [, pid] = /^\{"pid":(\d+)\}/.exec(found) ?? [];
  const who = pid === undefined ? "another process" : `another process (${pid})`;
  const message = `The thread ${threadId} is open in ${who}. End it there; or look at it here (unroll threads show ${threadId}), or go on in a copy of it (unroll fork ${threadId}).`;
  return new ThreadStoreError("thread_locked", message);
}

function toWarning(file: string): string {
  return `The file system of ${file} has no locks: take care that no other process goes on with this thread.`;
}
