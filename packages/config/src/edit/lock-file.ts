import { chmod, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { makeLockFile, tryToLock } from "@unroll/files";
import { ConfigError } from "../fault/config-error.ts";

const retryMs = 25;
/** About five seconds: an edit takes milliseconds. */
const retries = 200;

/**
 * Holds `path` against other writers of this machine, by a lock on an empty file beside it: it is free again as soon as its
 * holder ends, however it ends. Throws `ConfigError` (`file_locked`) where it is not had in time.
 */
export async function lockFile(path: string): Promise<Disposable> {
  const lock = await makePrivateLockFile(path);
  for (let left = retries; ; left -= 1) {
    const held = await tryToLock(lock);
    if (held !== null) return held;
    if (left === 0) break;
    await delay(retryMs);
  }
  const message = `${path} is being changed by another process: try again. Nothing was changed.`;
  throw new ConfigError({ code: "file_locked", message, file: path });
}

/** As private as the file that it is for: who may read a lock could hold it. */
async function makePrivateLockFile(path: string): Promise<string> {
  const lock = `${path}.lock`;
  const mode = (await readMode(path)) ?? 0o600;
  makeLockFile(lock, mode);
  const isWider = (((await readMode(lock)) ?? mode) & ~mode) !== 0;
  if (isWider) await chmod(lock, mode).catch(() => {}); // another user's is theirs to close
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
