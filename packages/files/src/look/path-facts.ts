import { accessSync, closeSync, constants, type Dirent, fstatSync, lstatSync, openSync } from "node:fs";
import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync, type BigIntStats, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fromNative, toNative } from "./native-path.ts";

/** The kind of a path itself. */
export type PathKind = "missing" | "file" | "folder" | "symlink" | "other";

/** An entry of a folder. */
export interface Entry {
  readonly name: string;
  readonly kind: PathKind;
}

// Missing paths are common here, and an exception takes ten times as long as asking first.

/** Files that git and the sandbox obey are small; a larger one is an attempt to slow us down. */
const largestTextBytes = 1024 * 1024;

/**
 * The kind of the entry at `path`; a symlink is not followed. A path that cannot be inspected
 * counts as missing.
 */
export function kindOf(path: string): PathKind {
  return findKnownKind(path) ?? toKind(statIfAny(path));
}

function toKind(entry: Pick<Dirent, "isDirectory" | "isSymbolicLink" | "isFile"> | null): PathKind {
  if (entry === null) return "missing";
  if (entry.isDirectory()) return "folder";
  if (entry.isSymbolicLink()) return "symlink";
  return entry.isFile() ? "file" : "other";
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
  const kind = kindOf(path);
  if (kind !== "file" && !(kind === "symlink" && isFile(path))) return null;
  return remember(known?.texts, path, () => readText(path));
}

function readText(path: string): string | null {
  // A pipe without a writer would hold us up for ever.
  const fd = openSync(toNative(path), constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    return stats.isFile() && stats.size <= largestTextBytes ? fromNative(readFileSync(fd)) : null;
  } finally {
    closeSync(fd);
  }
}

/** With every symlink on the way resolved; null when it does not exist. */
export function resolveIfAny(path: string): string | null {
  return remember(known?.realPaths, path, () => {
    const kind = findKnownKind(path);
    if (kind === null || kind === "symlink") return fromNative(realpathSync.native(toNative(path), "buffer"));
    const folder = kind === "missing" ? null : resolveIfAny(dirname(path));
    return folder && join(folder, basename(path));
  });
}

/** The target of a symlink as written; null: it is not a symlink. */
export function readLinkIfAny(path: string): string | null {
  if (kindOf(path) !== "symlink") return null;
  return attempt(() => fromNative(readlinkSync(toNative(path), "buffer")));
}

/** Whether this user has that access, with every link followed. */
export function mayAccess(path: string, access: number): boolean {
  const look = (): true => (accessSync(toNative(path), access), true);
  return remember(known?.access, `${path}\0${access}`, look) !== null;
}

/**
 * Identifies the current content of a file, with every link followed, by its identity, size and times. Null where it may not be
 * looked at: nobody of this user can read it either.
 */
export function stampIfAny(path: string): FileStamp | null {
  return remember(known?.stamps, path, () => {
    const stats = statSync(toNative(path), { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? null : { isFolder: stats.isDirectory(), text: toStampText(stats) };
  });
}

/** Two stamps of a path have the same text exactly when nothing has changed in between. */
interface FileStamp {
  readonly isFolder: boolean;
  readonly text: string;
}

function toStampText({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

/**
 * Throws system errors. In `withKnownPaths`, a folder that was listed answers for the kinds of its names: list it first if
 * you will ask for many.
 */
export function readEntries(folder: string): readonly Entry[] {
  const found = known?.entries.get(folder) ?? listFolder(toNative(folder));
  known?.entries.set(folder, found);
  return found;
}

/** The same, and nothing is remembered: for a path that leads elsewhere the next time. */
export function listFolder(folder: string | Buffer): readonly Entry[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  // Names that are not UTF-8 were lost. Asking for bytes at once would be slower for all other folders.
  if (!entries.some(({ name }) => name.includes("\ufffd")))
    return entries.map((entry) => ({ name: entry.name, kind: toKind(entry) }));
  return readdirSync(folder, { withFileTypes: true, encoding: "buffer" }).map((entry) => ({
    name: fromNative(entry.name),
    kind: toKind(entry),
  }));
}

/** By the path; what follows a NUL in a key is not of the path. */
export interface KnownFacts {
  readonly stats: Map<string, Stats | null>;
  readonly realPaths: Map<string, string | null>;
  readonly texts: Map<string, string | null>;
  readonly stamps: Map<string, FileStamp | null>;
  readonly access: Map<string, true | null>;
  readonly entries: Map<string, readonly Entry[]>;
}

export function createKnownFacts(): KnownFacts {
  return {
    stats: new Map(),
    realPaths: new Map(),
    texts: new Map(),
    stamps: new Map(),
    access: new Map(),
    entries: new Map(),
  };
}

/** Null: not in `withKnownPaths`. */
let known: KnownFacts | null = null;

/**
 * Runs `work`, which must change nothing, and asks the system only once about each path. Nothing is remembered after `work`
 * returns, so it must not wait for anything.
 */
export function withKnownPaths<Result>(work: () => Result): Result {
  return known === null ? withFacts(createKnownFacts(), work) : work();
}

/** Runs `work`, which knows these facts already and adds its own. */
export function withFacts<Result>(facts: KnownFacts, work: () => Result): Result {
  const before = known;
  known = facts;
  try {
    return work();
  } finally {
    known = before;
  }
}

/** The kind that follows from what is known already; null: nothing does. */
function findKnownKind(path: string): PathKind | null {
  const folder = dirname(path);
  if (known === null || folder === path) return null;
  const stats = known.stats.get(path);
  if (stats !== undefined) return toKind(stats);
  const entries = known.entries.get(folder);
  if (entries === undefined) return findKnownKind(folder) === "missing" ? "missing" : null;
  return mayEnter(folder) ? findInList(basename(path), entries) : null;
}

/** Names may be listed in a folder in which nothing can be reached. */
function mayEnter(folder: string): boolean {
  const mode = known?.stats.get(folder)?.mode ?? 0;
  return (mode & everybodyEnters) === everybodyEnters || mayAccess(folder, constants.X_OK);
}

const everybodyEnters = 0o111;

/** Null: some file systems take another name for this one, in other case or in other characters. */
function findInList(name: string, entries: readonly Entry[]): PathKind | null {
  const found = entries.find((entry) => entry.name === name);
  if (found !== undefined) return found.kind;
  const isLike = (other: string): boolean => /[^ -~]/.test(other) || other.toLowerCase() === name.toLowerCase();
  return entries.some((entry) => isLike(entry.name)) ? null : "missing";
}

/** Null: `look` threw. */
function remember<Fact>(
  facts: Map<string, Fact | null> | undefined,
  path: string,
  look: () => Fact | null,
): Fact | null {
  const found = facts?.get(path);
  if (found !== undefined) return found;
  const seen = attempt(look);
  facts?.set(path, seen);
  return seen;
}

function attempt<Fact>(look: () => Fact | null): Fact | null {
  try {
    return look();
  } catch {
    return null;
  }
}
