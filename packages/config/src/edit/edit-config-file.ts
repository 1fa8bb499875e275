import { isDeepStrictEqual } from "node:util";
import { existsSync } from "node:fs";
import { mkdir, realpath, chmod, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ParseError } from "toml-eslint-parser";
import { FileLockError, makeLockFile, waitForLock } from "@unroll/files";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import { ConfigError } from "../config-error.ts";
import { readConfigText } from "../layer/read-config-file.ts";
import { parseToml } from "../toml/parse-toml.ts";
import { isTable, type Table } from "../toml/table.ts";

/** One change, told twice: what it makes of the keys, and of the text. Null: there is nothing to change. */
export type ConfigEdit = (before: { readonly table: Table; readonly text: string }) => ConfigEditOutcome | null;

interface ConfigEditOutcome {
  readonly table: Table;
  readonly text: string;
}

/**
 * Changes a config file in place, or makes one that only its owner can read. One writer at a time; nothing is written unless
 * the new text says exactly what it should. Returns whether there was something to change. Throws `ConfigError`:
 * `toml_invalid`, `file_unreadable`, `file_locked`, `file_unwritable`, `edit_impossible`.
 */
export function editConfigFile(path: string, edit: ConfigEdit): Promise<boolean> {
  return changeFile(path, async () => {
    const content = (await readConfigText(path)) ?? "";
    const mark = content.startsWith("\uFEFF") ? "\uFEFF" : "";
    const text = content.slice(mark.length);
    const outcome = tryEdit(edit, { table: parseToml(text, path), text });
    if (outcome === null) return null;
    if (outcome !== "impossible" && says(outcome)) return mark + outcome.text;
    throw new ConfigError({
      code: "edit_impossible",
      message: `unroll cannot change ${path} safely (it has an inline table, for example): edit it by hand. Nothing was changed.`,
      file: path,
    });
  });
}

/** Where the parser that keeps places takes less than the one that reads, nothing is written. */
function tryEdit(edit: ConfigEdit, before: ConfigEditOutcome): ConfigEditOutcome | null | "impossible" {
  try {
    return edit(before);
  } catch (error) {
    if (error instanceof ParseError) return "impossible";
    throw error;
  }
}

function says({ text, table }: ConfigEditOutcome): boolean {
  try {
    return isDeepStrictEqual(withoutEmpty(parseToml(text, "")), withoutEmpty(table));
  } catch {
    return false;
  }
}

/** A parent without children is there or not, by how it is written; it means the same. */
function withoutEmpty(table: Table): Table {
  const entries = Object.entries(table).map(
    ([key, value]) => [key, isTable(value) ? withoutEmpty(value) : value] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => !isTable(value) || Object.keys(value).length > 0));
}

/**
 * Writes what `change` gives, whole or not at all, while no other writer of ours is at the file; null writes nothing. A new
 * file can be read by its owner only. Returns whether it wrote. Throws `ConfigError` (`file_locked`, `file_unwritable`), and what
 * `change` throws.
 */
export async function changeFile(path: string, change: () => Promise<string | null>): Promise<boolean> {
  using _lock = await orUnwritable(path, async () => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return lockFile(await realpath(path).catch(() => path)); // two names of one file are one lock
  });
  const text = await change();
  if (text === null) return false;
  await orUnwritable(path, () => write(path, text));
  return true;
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
        ? `its lock ${path}.lock is not available (${error.message})`
        : describeSystemError(error);
    const remedy = notOurs.has(systemErrorCode(error))
      ? " Make it writable, or set CODEX_HOME to a folder that is."
      : "";
    const message = `${path} cannot be changed: ${reason}. Nothing was changed.${remedy}`;
    throw new ConfigError({ code: "file_unwritable", message, file: path });
  }
}

const retryMs = 25;
/** About five seconds: an edit takes milliseconds. */
const retries = 200;

/**
 * Holds `path` against other writers of this machine, by a lock on an empty file beside it: it is free again as soon as its
 * holder ends, however it ends. Null: the file system has no locks. Throws `ConfigError` (`file_locked`) where it is not had in time.
 */
async function lockFile(path: string): Promise<Disposable | null> {
  const lock = await makePrivateLockFile(path);
  let left = retries;
  try {
    const held = await waitForLock(lock, () => delay(retryMs, (left -= 1) >= 0));
    if (held !== null) return held;
  } catch (error) {
    if (error instanceof FileLockError && error.code === "no_locks") return null;
    throw error;
  }
  const message = `Another process is changing ${path}: try again. Nothing was changed.`;
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

/** The file's permissions; null: it does not exist. */
async function readMode(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mode & 0o666;
  } catch {
    return null;
  }
}
