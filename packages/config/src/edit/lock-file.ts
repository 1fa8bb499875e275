import { chmod, open, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { systemErrorCode } from "@unroll/text";
import { ConfigError } from "../fault/config-error.ts";

const retryMs = 25;
/** About five seconds: an edit takes milliseconds. */
const retries = 200;

/**
 * Holds `path` against other writers of this machine, by a lock of SQLite's on an empty file beside it: it is free again as
 * soon as its holder ends, however it ends. Throws `ConfigError` (`file_locked`) where it is not had in time.
 */
export async function lockFile(path: string): Promise<Disposable> {
  const lock = await makeLockFile(path);
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(lock, { timeout: 0 });
  try {
    for (let left = retries; ; left -= 1) {
      if (tryToHold(database)) return database;
      if (left === 0) break;
      await delay(retryMs);
    }
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  const message = `${path} is being changed by another process: try again. Nothing was changed.`;
  throw new ConfigError({ code: "file_locked", message, file: path });
}

/**
 * As private as the file that it is for: who may read a lock could hold it. One that is there is not opened, for closing it would
 * give up its locks.
 */
async function makeLockFile(path: string): Promise<string> {
  const lock = `${path}.lock`;
  const mode = (await readMode(path)) ?? 0o600;
  try {
    await (await open(lock, "wx", mode)).close();
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
    const isWider = (((await readMode(lock)) ?? mode) & ~mode) !== 0;
    if (isWider) await chmod(lock, mode).catch(() => {}); // another user's is theirs to close
  }
  return lock;
}

/** Who may read and write it; null: it is not there. */
async function readMode(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mode & 0o666;
  } catch {
    return null;
  }
}

/** False: somebody else has it. */
function tryToHold(database: { readonly exec: (sql: string) => void }): boolean {
  try {
    database.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    const busy = 5; // https://www.sqlite.org/rescode.html#busy
    if (isSqliteError(error) && error.errcode === busy) return false;
    throw error;
  }
}

/** Its message says what is wrong; it has no code of the system's. */
export function isSqliteError(error: unknown): error is Error & { readonly errcode: unknown } {
  return error instanceof Error && "errcode" in error;
}
