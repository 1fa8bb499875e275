import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { describeThrown, systemErrorCode } from "@unroll/text";

/** A lock is neither taken nor refused, because of its file or the file system. */
export class FileLockError extends Error {
  override readonly name = "FileLockError";
  /** `no_locks`: the file system has none (some NFS). */
  readonly code: "no_locks" | "unusable";

  constructor(code: FileLockError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Result codes of SQLite (https://sqlite.org/rescode.html). */
const sqlite = { permission: 3, busy: 5, ioError: 10, noLargeFiles: 22 };
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
  const held = await attempt(path);
  if (held === null) await checkRefusal(path);
  return held;
}

/**
 * SQLite reports a lock that the file system refuses (ENOLCK, EACCES) like one that another process has. Nobody else has a lock
 * on a file that is made now. Throws `FileLockError` if that one is refused, too.
 */
async function checkRefusal(path: string): Promise<void> {
  const folder = mkdtempSync(`${path}.`);
  try {
    const fresh = join(folder, "lock");
    makeLockFile(fresh);
    using held = await attempt(fresh);
    if (held === null) throw new FileLockError("no_locks", describeMissing(path));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function describeMissing(path: string): string {
  return `the file system of ${dirname(path)} has no locks`;
}

/** A connection of SQLite, which holds the locks of several files: one for each lock took 74 KiB, this takes 12 KiB. */
interface Connection {
  readonly database: DatabaseSync;
  /** The names of its files in SQL. */
  readonly files: Set<string>;
}

/** SQLite attaches so many files to a connection (https://sqlite.org/limits.html). */
const mostFiles = 10;
const connections = new Set<Connection>();
let attempts = 0;

async function attempt(path: string): Promise<Disposable | null> {
  const { DatabaseSync } = await import("node:sqlite");
  const shared = [...connections].find(({ files }) => files.size < mostFiles);
  const connection = shared ?? { database: new DatabaseSync(":memory:", { timeout: 0 }), files: new Set() };
  connections.add(connection);
  const { database } = connection;
  const name = `file${attempts++}`;
  try {
    database.prepare(`ATTACH ? AS ${name}`).run(path);
    connection.files.add(name);
    // a transaction takes the lock, and this mode keeps it; nothing is ever written to the file, so its pages, of which some are held, are small
    database.exec(
      `PRAGMA ${name}.page_size=512; PRAGMA ${name}.cache_size=0; PRAGMA ${name}.journal_mode=MEMORY; PRAGMA ${name}.locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK`,
    );
    return { [Symbol.dispose]: () => letGo(connection, name) };
  } catch (error) {
    letGo(connection, name);
    const code = readResultCode(error);
    if (code === sqlite.busy) return null;
    const hasNone = code !== null && [sqlite.permission, sqlite.ioError, sqlite.noLargeFiles].includes(code);
    if (hasNone) throw new FileLockError("no_locks", describeMissing(path), { cause: error });
    throw new FileLockError("unusable", describeThrown(error), { cause: error });
  }
}

/** Does nothing for a file that was let go before. */
function letGo(connection: Connection, name: string): void {
  const { database, files } = connection;
  if (files.delete(name)) database.exec(`DETACH ${name}`);
  if (files.size === 0 && connections.delete(connection)) database.close();
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
  while (held === null && (await pause())) held = await attempt(path);
  return held;
}

/** Null for other errors than SQLite's. Deno gives no code, but SQLite's own words for it. */
function readResultCode(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & lowByte;
  return error.message === "database is locked" ? sqlite.busy : null;
}
