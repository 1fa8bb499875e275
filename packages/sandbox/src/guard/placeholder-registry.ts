import { mkdirSync, rmSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { kindOf, readTextIfAny } from "@unroll/files";
import { readProcessStat } from "@unroll/process-tree";
import { listNames } from "../files/path-facts.ts";
import { withFileLock } from "./file-lock.ts";
import { parseRegistration, type Registration } from "./parse-registration.ts";

/**
 * To block a name that does not exist, we create an empty folder with that name outside, and bwrap
 * mounts over it. Removing the folder while another sandbox has it mounted would end that sandbox's
 * protection. So every harness registers the folders it uses, and only the last one removes them. A
 * crash leaves an empty folder, which the next harness removes. The folders stay for a moment after
 * their last use: creating and removing them again takes a third of a bare spawn.
 */
export interface PlaceholderRegistry {
  /** Call it before the sandbox starts. Call the result once, after the sandbox has ended. */
  readonly acquire: (paths: readonly string[]) => () => void;
  /** Removes all folders that no running sandbox needs, at once. */
  readonly removeIdle: () => void;
  /** Removes this harness's registration. */
  readonly close: () => void;
}

/** In ms: how long a placeholder waits for the next command. */
const idleMs = 250;

/** `folder` is shared by all harnesses of a user; `name` belongs to this one. */
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
    // No other harness removes folders that this one has registered.
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

  /** An empty folder that no harness created is never removed. */
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

  /** The registration stays while the harness runs: idle folders may be used again at any moment. */
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

function isRunning(owner: string): boolean {
  return identify(owner.split(":")[0] ?? "") === owner;
}
