import { mkdirSync, rmSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kindOf, readTextIfAny } from "@unroll/files";
import { readProcessStat } from "@unroll/process-tree";
import { listNames } from "../files/path-facts.ts";
import { withFileLock } from "./file-lock.ts";
import { parseRegistration, type Registration } from "./parse-registration.ts";

/**
 * To hold down a name that does not exist, an empty folder of that name is made outside, and bwrap mounts over it. Removing
 * the folder while any sandbox still has it mounted takes that sandbox's protection away, so every harness registers what
 * it uses, and only the last one removes it. What a crash leaves behind is an empty folder, and the next one removes that.
 * The folders stay for a moment after their last use: to make and remove them again takes a third of a bare spawn.
 */
export interface PlaceholderRegistry {
  /** To be called before the sandbox starts. The result is called once, after it has ended. */
  readonly acquire: (paths: readonly string[]) => () => void;
  /** Removes at once what no running sandbox needs. */
  readonly removeIdle: () => void;
  /** Forgets this harness. */
  readonly close: () => void;
}

/** How long a placeholder waits for the next command, in ms. */
const idleMs = 250;

/** `folder` is shared by all harnesses of a user; `name` is this one's own. */
// oxlint-disable-next-line eslint/max-lines-per-function -- one state, of which each step is a short function
export function createPlaceholderRegistry(folder: string, name: string): PlaceholderRegistry {
  const ownFile = join(folder, `${name}.json`);
  const lock = join(folder, "lock");
  const users = new Map<string, number>();
  const created = new Set<string>();
  let written = "";
  let idleTimer: NodeJS.Timeout | null = null;

  function acquire(paths: readonly string[]): () => void {
    if (paths.length === 0) return () => {};
    // No other harness removes what this one has registered.
    const missing = paths.filter((path) => !isInPlace(path));
    if (missing.length > 0) withFileLock(lock, () => putInPlace(missing));
    for (const path of paths) users.set(path, countOf(path) + 1);
    return () => {
      for (const path of paths) users.set(path, countOf(path) - 1);
      idleTimer ??= setTimeout(removeIdle, idleMs).unref();
      idleTimer.refresh();
    };
  }

  function isInPlace(path: string): boolean {
    return users.has(path) && kindOf(path) === "folder";
  }

  function putInPlace(paths: readonly string[]): void {
    const others = readOthers(folder, ownFile);
    for (const path of paths) {
      if (countOf(path) === 0) noteOrigin(path, others);
      users.set(path, countOf(path));
    }
    write();
    for (const path of paths) makePlaceholder(path);
  }

  /** Whoever finds an empty folder that no harness made leaves it alone afterwards. */
  function noteOrigin(path: string, others: readonly OtherHarness[]): void {
    if (kindOf(path) === "missing" || others.some((other) => other.created.includes(path))) created.add(path);
    else created.delete(path);
  }

  function removeIdle(): void {
    if (idleTimer === null) return;
    clearTimeout(idleTimer);
    idleTimer = null;
    withFileLock(lock, () => removeUnused([...users.keys()]));
  }

  function removeUnused(paths: readonly string[]): void {
    const others = readOthers(folder, ownFile);
    const dead = others.filter((other) => !other.isRunning);
    const usedByOthers = new Set(others.filter((other) => other.isRunning).flatMap((other) => other.using));
    const candidates = [...paths.filter((path) => created.has(path)), ...dead.flatMap((other) => other.created)];
    for (const path of new Set(candidates)) {
      if (countOf(path) > 0 || usedByOthers.has(path)) continue;
      removeEmptyFolder(path);
      created.delete(path);
    }
    for (const { file } of dead) rmSync(file, { force: true });
  }

  function countOf(path: string): number {
    return users.get(path) ?? 0;
  }

  /** It stays while the harness runs: what is idle now may be used again any moment. */
  function write(): void {
    const text = JSON.stringify({ owner: identify("self"), using: [...users.keys()], created: [...created] });
    if (text !== written) writeFileSync(ownFile, text, { mode: 0o600 });
    written = text;
  }

  function close(): void {
    if (idleTimer !== null) clearTimeout(idleTimer);
    idleTimer = null;
    if (written === "") return;
    written = "";
    withFileLock(lock, () => {
      rmSync(ownFile, { force: true });
      removeUnused([...users.keys()]);
    });
  }

  return { acquire, removeIdle, close };
}

interface OtherHarness extends Registration {
  readonly file: string;
  readonly isRunning: boolean;
}

function readOthers(folder: string, ownFile: string): readonly OtherHarness[] {
  return listNames(folder)
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith(".json") && file !== ownFile)
    .map((file) => {
      const registration = parseRegistration(readTextIfAny(file) ?? "");
      return { ...registration, file, isRunning: isRunning(registration.owner) };
    });
}

/** Where the folder around it is not a writable one, bwrap could not. */
function makePlaceholder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch {
    // It is there, or bwrap will say why it cannot be.
  }
}

function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // It is gone, or somebody has put something into it: then it is theirs.
  }
}

/** Process id and start time (field 22): together they do not come again. */
function identify(process: string): string | null {
  const stat = readProcessStat(process);
  return stat && `${stat(1)}:${stat(22)}`;
}

function isRunning(owner: string): boolean {
  return identify(owner.split(":")[0] ?? "") === owner;
}
