import { mkdirSync, readdirSync, rmSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kill } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { FileLockError, kindOf, readTextIfAny, waitForLock } from "@unroll/files";
import { contain } from "@unroll/flow";
import { readProcessStat } from "@unroll/process-tree";
import { systemErrorCode } from "@unroll/text";
import { parseRegistration, type Registration } from "./parse-registration.ts";

/**
 * To block a name that does not exist, we create an empty folder with that name outside, and bwrap
 * mounts over it. Removing the folder while another sandbox has it mounted would end that sandbox's
 * protection. So every harness registers the folders it uses, and only the last one removes them. A
 * crash leaves an empty folder, which the next harnesses remove. The folders stay for a while after
 * their last use: creating and removing them again takes a third of a bare spawn.
 */
export interface PlaceholderRegistry {
  /**
   * Call it before the sandbox starts. Call the result once, after the sandbox has ended. Rejects if
   * the registry cannot be read or written.
   */
  readonly acquire: (paths: readonly string[]) => Promise<() => void>;
  /**
   * Removes all folders that no running sandbox needs, at once. If the registry cannot be read or
   * written, they stay until a later attempt.
   */
  readonly removeIdle: () => Promise<void>;
  /** Removes this harness's registration. Never rejects: the next harness removes what is left. */
  readonly close: () => Promise<void>;
}

/** In ms: how long a folder stays for the next command, which a model takes seconds to ask for. The end of a turn removes it sooner. */
const idleMs = 10_000;
/** In ms: between two attempts to have the lock, which others hold for well under a millisecond. */
const retryMs = 1;
/** About two seconds. */
const retries = 2_000;

/** `folder` is shared by all harnesses of a user; `name` belongs to this one. */
// oxlint-disable-next-line eslint/max-lines-per-function -- one state, of which each step is a short function
export function createPlaceholderRegistry(folder: string, name: string): PlaceholderRegistry {
  const ownFile = join(folder, `${name}.json`);
  const users = new Map<string, number>();
  const created = new Set<string>();
  let written = "";
  let isClosed = false;
  let idleTimer: NodeJS.Timeout | null = null;

  async function acquire(paths: readonly string[]): Promise<() => void> {
    if (paths.length === 0) return () => {};
    // No other harness removes folders that this one has registered.
    if (paths.every(isInPlace)) use(paths);
    else
      await withLock(folder, () => {
        putInPlace(paths.filter((path) => !isInPlace(path)));
        use(paths);
      });
    return () => {
      for (const path of paths) users.set(path, countOf(path) - 1);
      idleTimer ??= setTimeout(
        contain(removeIdle, () => {}),
        idleMs,
      ).unref();
      idleTimer.refresh();
    };
  }

  function use(paths: readonly string[]): void {
    for (const path of paths) users.set(path, countOf(path) + 1);
  }

  function isInPlace(path: string): boolean {
    return users.has(path) && kindOf(path) === "folder";
  }

  function putInPlace(paths: readonly string[]): void {
    forgetLost();
    const others = readOthers(folder, ownFile);
    for (const path of paths) {
      if (countOf(path) === 0) noteOrigin(path, others);
      users.set(path, countOf(path));
    }
    write();
    for (const path of paths) makePlaceholder(path);
  }

  /** An empty folder that no harness created is never removed. */
  function noteOrigin(path: string, others: readonly OtherHarness[]): void {
    if (kindOf(path) === "missing" || others.some((other) => other.created.includes(path))) created.add(path);
    else created.delete(path);
  }

  /**
   * If somebody emptied the folder, as systemd does when a user logs out, the other harnesses'
   * registrations are lost too: nobody knows any more who uses what this one has created.
   */
  function forgetLost(): void {
    if (written === "" || kindOf(ownFile) !== "missing") return;
    created.clear();
    written = "";
  }

  async function removeIdle(): Promise<void> {
    if (idleTimer === null) return;
    clearTimeout(idleTimer);
    idleTimer = null;
    await clearUp();
  }

  async function clearUp(): Promise<void> {
    try {
      await withLock(folder, (isLocked) => {
        forgetLost();
        if (isLocked) removeUnused([...users.keys()]);
        // While a command still runs, another harness must know of its folders: this process may end before the command does.
        if (isClosed && [...users.values()].every((count) => count === 0)) rmSync(ownFile, { force: true });
        // Otherwise others would leave the next folder there to this one, and take one of somebody else for its own.
        else if (written !== "") write();
      });
    } catch {
      // Too many open files, or the folder is gone: an empty folder that stays does no harm.
    }
  }

  function removeUnused(paths: readonly string[]): void {
    const others = readOthers(folder, ownFile);
    // A sandbox that was starting when its harness was killed may create them again. The harness that finds none is done.
    const dead = others
      .filter((other) => !other.isRunning)
      .map((other) => ({ ...other, left: other.created.filter((path) => kindOf(path) !== "missing") }));
    const usedByOthers = new Set(others.filter((other) => other.isRunning).flatMap((other) => other.using));
    const candidates = [...paths.filter((path) => created.has(path)), ...dead.flatMap((other) => other.left)];
    for (const path of new Set(candidates)) {
      if (countOf(path) > 0 || usedByOthers.has(path)) continue;
      removeEmptyFolder(path);
      created.delete(path);
      users.delete(path); // so the next use looks who has created it by then
    }
    for (const { file, left } of dead) if (left.length === 0) rmSync(file, { force: true });
  }

  function countOf(path: string): number {
    return users.get(path) ?? 0;
  }

  /** A folder stays registered while it is there, since an idle one may be used again at any moment. */
  function write(): void {
    const owner = identify("self");
    if (owner === null) throw new Error("/proc/self/stat cannot be read");
    const text = JSON.stringify({ owner, using: [...users.keys()], created: [...created] });
    if (text !== written) writeFileSync(ownFile, text, { mode: 0o600 });
    written = text;
  }

  async function close(): Promise<void> {
    if (idleTimer !== null) clearTimeout(idleTimer);
    idleTimer = null;
    isClosed = true;
    if (written !== "") await clearUp();
  }

  return { acquire, removeIdle, close };
}

/** `isLocked` is false on a file system without locks: another harness may be at work, so nothing may be removed. */
async function withLock(folder: string, work: (isLocked: boolean) => void): Promise<void> {
  let left = retries;
  const path = join(folder, "registry.lock");
  try {
    using lock = await waitForLock(path, () => delay(retryMs, (left -= 1) >= 0));
    if (lock === null) throw new Error(`another process has ${path} locked`);
    work(true);
  } catch (error) {
    if (!(error instanceof FileLockError && error.code === "no_locks")) throw error;
    work(false);
  }
}

interface OtherHarness extends Registration {
  readonly file: string;
  readonly isRunning: boolean;
}

/** Throws if a registration cannot be read: it may protect a folder that is in use. */
function readOthers(folder: string, ownFile: string): readonly OtherHarness[] {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith(".json") && file !== ownFile)
    .map((file) => {
      const text = readTextIfAny(file);
      if (text === null && kindOf(file) !== "missing") throw new Error(`${file} cannot be read`);
      const registration = parseRegistration(text ?? "");
      return { ...registration, file, isRunning: isRunning(registration.owner) };
    });
}

/** If the folder around it is not writable, bwrap could not create it. */
function makePlaceholder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch {
    // It exists, or bwrap will say why it cannot be created.
  }
}

function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // It was deleted, or someone has put something into it: then it is theirs.
  }
}

/** Process id and start time (field 22); the pair is never reused. */
function identify(process: string): string | null {
  const stat = readProcessStat(process);
  return stat && `${stat(1)}:${stat(22)}`;
}

/** Where /proc cannot be read, as without a free descriptor, a process that exists counts as the owner. */
function isRunning(owner: string): boolean {
  const [id = ""] = owner.split(":");
  const found = identify(id);
  return found === null ? exists(Number(id)) : found === owner;
}

function exists(id: number): boolean {
  try {
    return id > 0 && kill(id, 0);
  } catch (error) {
    return systemErrorCode(error) === "EPERM";
  }
}
