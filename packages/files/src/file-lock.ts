import { closeSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { describeThrown, systemErrorCode } from "@unroll/text";

/** A lock is neither taken nor refused, because of its file or the file system. */
export class FileLockError extends Error {
  override readonly name = "FileLockError";
  /** `no_locks`: the file system has none. */
  readonly code: "no_locks" | "unusable";

  constructor(code: FileLockError["code"], message: string, options: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Result codes of SQLite (https://sqlite.org/rescode.html). */
const sqlite = { busy: 5, ioError: 10, noLargeFiles: 22 };
const lowByte = 0xff; // above it, extended result codes say more

/**
 * Creates the empty file of a lock, unless it exists. Anyone who may read it could hold the lock,
 * so by default only its owner may. An existing file is not opened, because closing any handle of a
 * file releases the process's locks on it (fcntl_locking(2)). Throws system errors.
 */
export function makeLockFile(path: string, mode = 0o600): void {
  try {
    closeSync(openSync(path, "wx", mode));
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  }
}

/**
 * Holds a lock that one process has at a time, and in it one holder: the kernel's own on an empty file of `makeLockFile`, which
 * it takes back the moment that the holder is gone, however it went, and knows in every container that sees the file. Node.js
 * reaches such a lock by SQLite alone. Null: another one has it; nothing is waited for. Nothing else may open the file in this
 * process. Throws `FileLockError`.
 */
export async function tryToLock(path: string): Promise<Disposable | null> {
  const { DatabaseSync } = await import("node:sqlite");
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec("PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE"); // nothing is ever written to it
    return toLock(database);
  } catch (error) {
    database?.close();
    const code = readResultCode(error);
    if (code === sqlite.busy) return null;
    const hasNone = code === sqlite.ioError || code === sqlite.noLargeFiles;
    throw new FileLockError(hasNone ? "no_locks" : "unusable", describeThrown(error), { cause: error });
  }
}

/**
 * `tryToLock` on a file that is made if need be, until it is held. Between two attempts it calls
 * `pause`, which waits for a moment and returns whether to try again. Null: `pause` returned false.
 * Throws `FileLockError` and system errors.
 */
export async function waitForLock(
  path: string,
  pause: () => Promise<boolean>,
  mode = 0o600,
): Promise<Disposable | null> {
  makeLockFile(path, mode);
  let held = await tryToLock(path);
  while (held === null && (await pause())) held = await tryToLock(path);
  return held;
}

function toLock(database: DatabaseSync): Disposable {
  return { [Symbol.dispose]: () => database.close() };
}

/** Null for other errors than SQLite's. Deno gives no code, but SQLite's own words for it. */
function readResultCode(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & lowByte;
  return error.message === "database is locked" ? sqlite.busy : null;
}
