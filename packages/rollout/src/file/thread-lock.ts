import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { systemErrorCode } from "@unroll/text";
import { ThreadStoreError } from "../thread-store-error.ts";

/** The processes of this machine. */
export interface ProcessTable {
  /** This one's id. */
  readonly pid: number;
  isRunning(pid: number): boolean;
}

/** Held until it is disposed. */
export type ThreadLock = AsyncDisposable;

/**
 * Holds a thread by a file beside it that names this process and when it started. A file whose process has ended, or whose
 * id another process has now, is put aside. Never waits for the other: throws `ThreadStoreError` `thread_locked`.
 */
export async function lockThread(path: string, processes: ProcessTable): Promise<ThreadLock> {
  const file = `${path}.lock`;
  const mine = `${JSON.stringify({ pid: processes.pid, started: await readStart(processes.pid), key: randomUUID() })}\n`;
  if (!(await tryToMake(file, mine))) {
    await putStaleAside(file, processes);
    if (!(await tryToMake(file, mine))) throw refuse(file, await readHolder(file));
  }
  return {
    async [Symbol.asyncDispose]() {
      if ((await readHolder(file)) === mine) await rm(file, { force: true });
    },
  };
}

async function tryToMake(file: string, text: string): Promise<boolean> {
  // linked into place whole: nobody reads half a lock
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text, { mode: 0o600, flag: "wx" });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    const code = systemErrorCode(error) ?? "";
    if (code === "EEXIST") return false;
    if (withoutLinks.has(code)) return makeUnlinked(file, text);
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** What file systems that know no hard links say. */
const withoutLinks: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

async function makeUnlinked(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { mode: 0o600, flag: "wx" });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}

async function putStaleAside(file: string, processes: ProcessTable): Promise<void> {
  const found = await readHolder(file);
  if (found === null) return;
  const holder = toHolder(found);
  if (holder !== null && (await isHeld(holder, processes))) throw refuse(file, found);
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
    // another process may have taken it over since: then it gets its lock back
    if ((await readHolder(aside)) !== found) await link(aside, file);
  } catch (error) {
    if (systemErrorCode(error) !== "ENOENT" && systemErrorCode(error) !== "EEXIST") throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

interface Holder {
  readonly pid: number;
  readonly started: string | null;
}

async function isHeld({ pid, started }: Holder, processes: ProcessTable): Promise<boolean> {
  if (!processes.isRunning(pid)) return false;
  const now = await readStart(pid);
  return started === null || now === null || now === started;
}

/** When a process was started, as Linux counts it (proc_pid_stat(5), field 22); null where it does not say. */
async function readStart(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  const startField = 19; // behind the name, which may hold anything
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[startField] ?? null;
}

async function readHolder(file: string): Promise<string | null> {
  return readFile(file, "utf8").catch(() => null);
}

function toHolder(text: string): Holder | null {
  const [, pid, started = null] = /^\{"pid":(\d+),"started":(?:null|"(\d+)")/.exec(text) ?? [];
  return pid === undefined ? null : { pid: Number(pid), started };
}

function refuse(file: string, found: string | null): ThreadStoreError {
  const pid = toHolder(found ?? "")?.pid;
  const who = pid === undefined ? "another process" : `process ${pid}`;
  const message = `This thread is open in ${who}: end it there, or fork the thread. (${file})`;
  return new ThreadStoreError("thread_locked", message);
}
