import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "@unroll/flow";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import { AuthError } from "../fault/auth-error.ts";

/** Between two tries, in ms. */
const retryMs = 20;

/**
 * Holds a lock that one process has at a time, and in it one holder: the system's own on an empty SQLite file, which it takes
 * back the moment that the holder is gone, however it went. Waits without blocking; null: the signal was aborted meanwhile.
 */
export async function lockStore(
  path: string,
  clock: Pick<Clock, "sleep">,
  signal: AbortSignal,
): Promise<Disposable | null> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await makeLockFile(path);
    const { DatabaseSync } = await import("node:sqlite");
    while (!signal.aborted) {
      const database = new DatabaseSync(path, { timeout: 0 });
      if (tryToHold(database)) return { [Symbol.dispose]: () => database.close() };
      database.close();
      await clock.sleep(retryMs, signal);
    }
    return null;
  } catch (error) {
    const reason = isSqliteError(error) ? error.message : describeSystemError(error);
    const message = `The login cannot be renewed or changed, because its lock ${path} cannot be had: ${reason}.`;
    throw new AuthError("store_unusable", message, { cause: error });
  }
}

/** For its owner only: who may read it could hold it. One that is there is not opened, for closing it would give up its locks. */
async function makeLockFile(path: string): Promise<void> {
  try {
    await (await open(path, "wx", 0o600)).close();
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  }
}

function tryToHold(database: { exec(sql: string): void; close(): void }): boolean {
  try {
    database.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (isSqliteError(error) && error.errcode === sqliteBusy) return false;
    database.close();
    throw error;
  }
}

/** SQLITE_BUSY (https://sqlite.org/rescode.html#busy). */
const sqliteBusy = 5;

function isSqliteError(error: unknown): error is Error & { readonly errcode: unknown } {
  return error instanceof Error && "errcode" in error;
}
