import { existsSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { FileLockError } from "@unroll/files";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import { ConfigError } from "../fault/config-error.ts";
import { lockFile } from "./lock-file.ts";

/**
 * Writes what `change` gives, whole or not at all, while no other writer of ours is at the file; null writes nothing. A new
 * file can be read by its owner only. Returns whether it wrote. Throws `ConfigError` (`file_locked`, `file_unwritable`), and what
 * `change` throws.
 */
export async function changeFile(path: string, change: () => Promise<string | null>): Promise<boolean> {
  using _lock = await orUnwritable(path, () => openLock(path));
  const text = await change();
  if (text === null) return false;
  await orUnwritable(path, () => write(path, text));
  return true;
}

async function openLock(path: string): Promise<Disposable> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // two names of one file are one lock
  return lockFile(await realpath(path).catch(() => path));
}

async function write(path: string, text: string): Promise<void> {
  const { default: writeFileAtomic } = await import("write-file-atomic");
  await writeFileAtomic(path, text, existsSync(path) ? {} : { mode: 0o600 });
}

const notOurs: ReadonlySet<string | null> = new Set(["EACCES", "EPERM", "EROFS"]);

async function orUnwritable<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const reason =
      error instanceof FileLockError
        ? `its lock ${path}.lock cannot be had (${error.message})`
        : describeSystemError(error);
    const remedy = notOurs.has(systemErrorCode(error))
      ? " Make it writable, or set CODEX_HOME to a folder that is."
      : "";
    const message = `${path} cannot be changed: ${reason}. Nothing was changed.${remedy}`;
    throw new ConfigError({ code: "file_unwritable", message, file: path });
  }
}
