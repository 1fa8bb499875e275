import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
  type Stats,
} from "node:fs";
import { fromNative, toNative } from "./native-path.ts";

/** The kind of a path itself. */
export type PathKind = "missing" | "file" | "folder" | "symlink" | "other";

// Missing paths are common here, and an exception takes ten times as long as asking first.

/** Files that git and the sandbox obey are small; a larger one is an attempt to slow us down. */
const largestTextBytes = 1024 * 1024;

/**
 * The kind of the entry at `path`; a symlink is not followed. A path that cannot be inspected
 * counts as missing.
 */
export function kindOf(path: string): PathKind {
  const stats = statIfAny(path);
  if (stats === null) return "missing";
  if (stats.isDirectory()) return "folder";
  if (stats.isSymbolicLink()) return "symlink";
  return stats.isFile() ? "file" : "other";
}

/** Whether there is a file after every link. */
export function isFile(path: string): boolean {
  try {
    return statSync(toNative(path), { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** As lstat; null when there is nothing, or it cannot be looked at. */
export function statIfAny(path: string): Stats | null {
  return remember(known?.stats, path, () => lstatSync(toNative(path), { throwIfNoEntry: false }) ?? null);
}

/**
 * The text of a file, decoded by `fromNative`. Null: it cannot be read, is not a file, or is larger
 * than 1 MiB.
 */
export function readTextIfAny(path: string): string | null {
  if (!isFile(path)) return null;
  try {
    // A pipe without a writer would hold us up for ever.
    const fd = openSync(toNative(path), constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(fd);
      return stats.isFile() && stats.size <= largestTextBytes ? fromNative(readFileSync(fd)) : null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

/** With every symlink on the way resolved; null when it does not exist. */
export function resolveIfAny(path: string): string | null {
  return remember(known?.realPaths, path, () => fromNative(realpathSync.native(toNative(path), "buffer")));
}

interface KnownFacts {
  readonly stats: Map<string, Stats | null>;
  readonly realPaths: Map<string, string | null>;
}

/** Null: not in `withKnownPaths`. */
let known: KnownFacts | null = null;

/**
 * Runs `work`, which must change nothing, and asks the system only once about each path. Nothing is remembered after `work`
 * returns, so it must not wait for anything.
 */
export function withKnownPaths<Result>(work: () => Result): Result {
  if (known !== null) return work();
  known = { stats: new Map(), realPaths: new Map() };
  try {
    return work();
  } finally {
    known = null;
  }
}

/** Null: `look` threw. */
function remember<Fact>(facts: Map<string, Fact | null> | undefined, path: string, look: () => Fact): Fact | null {
  const found = facts?.get(path);
  if (found !== undefined) return found;
  const seen = attempt(look);
  facts?.set(path, seen);
  return seen;
}

function attempt<Fact>(look: () => Fact): Fact | null {
  try {
    return look();
  } catch {
    return null;
  }
}
