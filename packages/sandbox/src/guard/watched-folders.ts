import { statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside, kindOf, readTextIfAny, toNative } from "@unroll/files";
import type { FolderChange, FolderWatch } from "./folder-watch.ts";
import { lookAtFolder, type KnownFolder } from "./known-folder.ts";
import type { OpenedFolders } from "./opened-folders.ts";
import type { SearchResult } from "./search-result.ts";

/** A tree of folders in which a search looks only at changes. */
export interface WatchedFolders {
  /** `incomplete`: search the whole tree this time. `unfit`: search it every time. */
  readonly search: () => Promise<SearchResult | "incomplete" | "unfit">;
}

export interface WatchedTree {
  readonly roots: readonly string[];
  /** The known folders at the time when `watched` were already watched. */
  readonly seen: ReadonlyMap<string, KnownFolder>;
  readonly watched: ReadonlySet<string>;
  /** The changes that the watch has reported by then. */
  readonly changes: readonly FolderChange[];
  /** A tree with more folders is unfit. */
  readonly mostFolders: number;
  readonly opened: OpenedFolders;
}

/** Each folder is watched before it is listed. Later, changes are known by name. */
// oxlint-disable-next-line eslint/max-lines-per-function -- one state, of which each step is a short function
export function createWatchedFolders(tree: WatchedTree, watch: FolderWatch): WatchedFolders {
  const { roots, opened: ownClosed } = tree;
  const known = new Map<string, KnownFolder>();
  /** From known folders; a list of names may be newer or older. */
  const innerOf = new Map<string, Set<string>>();
  const candidates = new Set<string>();
  const mounts = readMounts(roots);
  const devices = new Map<number, boolean>();
  /** Other users' folders that cannot be listed. Git cannot list them either, as long as that is so. */
  const closed = new Set<string>();
  let unheard = tree.changes;
  let count = 0;
  for (const [path, folder] of tree.seen) if (tree.watched.has(path)) keep(path, folder);
  let fresh = [...known.values()].flatMap(({ folders }) => folders.filter((path) => !known.has(path)));

  async function search(): Promise<SearchResult | "incomplete" | "unfit"> {
    count = 0;
    const first = await hear([]);
    if (typeof first === "string") return first;
    if (readMounts(roots) !== mounts || first.some(({ folder, name }) => name === null && roots.includes(folder)))
      return "incomplete";
    const opened = [...closed].filter(isOpened);
    let next = [...fresh, ...opened, ...take(first)];
    const isCalm = first.length === 0 && next.length === 0;
    fresh = [];
    while (next.length > 0) {
      // Later changes are for the next search: this one is not calm, so there will be one.
      const meanwhile = await hear(next);
      if (typeof meanwhile === "string") return meanwhile;
      unheard = [...unheard, ...meanwhile];
      next = [...new Set(next.flatMap(enter))];
    }
    if (known.size > tree.mostFolders || [...devices.values()].includes(false)) return "unfit";
    return { candidates: [...candidates], count, isCalm, isWhole: true };
  }

  async function hear(more: readonly string[]): Promise<readonly FolderChange[] | "incomplete" | "unfit"> {
    const report = await watch.report(more);
    switch (report.type) {
      case "overflow":
        return "incomplete";
      case "failed":
        return "unfit";
      case "changes": {
        for (const path of report.closed) closed.add(path);
        // A folder that the user has closed can be opened for listing, but not for watching.
        if (report.closed.some((path) => lookAtFolder(path, null, ownClosed) !== null)) return "unfit";
        const changes = [...unheard, ...report.changes];
        unheard = [];
        return changes;
      }
    }
  }

  function isOpened(path: string): boolean {
    const isOpen = lookAtFolder(path, null, ownClosed) !== null;
    if (isOpen || kindOf(path) !== "folder") closed.delete(path);
    return isOpen;
  }

  /** Returns the folders that are new. */
  function take(changes: readonly FolderChange[]): readonly string[] {
    const gone = changes.map(({ folder, name }) => (name === null ? folder : join(folder, name)));
    for (const path of gone) drop(path);
    return [...new Set(gone.map(dirname))].filter((path) => known.has(path)).flatMap(enter);
  }

  function enter(path: string): readonly string[] {
    // The folder around it was removed meanwhile; if it returns, it brings its content.
    if (!roots.includes(path) && !known.has(dirname(path))) return [];
    count += 1;
    const folder = lookAtFolder(path, null, ownClosed);
    if (folder === null) {
      drop(path);
      if (kindOf(path) === "folder") closed.add(path);
      return [];
    }
    keep(path, folder);
    return folder.folders.filter((inner) => !known.has(inner));
  }

  function keep(path: string, folder: KnownFolder): void {
    known.set(path, folder);
    const around = dirname(path);
    const siblings = innerOf.get(around);
    if (siblings === undefined) innerOf.set(around, new Set([path]));
    else siblings.add(path);
    if (folder.isCandidate) candidates.add(path);
    else candidates.delete(path);
    if (!devices.has(folder.device)) devices.set(folder.device, isToldOf(path));
  }

  function drop(path: string): void {
    const gone = known.has(path) ? [path] : [];
    for (const each of gone) {
      gone.push(...(innerOf.get(each) ?? []));
      innerOf.delete(each);
      known.delete(each);
      candidates.delete(each);
    }
    innerOf.get(dirname(path))?.delete(path);
    if (gone.length > 0) watch.forget(gone);
  }

  return { search };
}

/** A mount can replace a folder, and the watch does not report it. */
function readMounts(roots: readonly string[]): string {
  const lines = (readTextIfAny("/proc/self/mountinfo") ?? "").split("\n");
  // The fifth word, in which blanks are escaped.
  const placeOf = (line: string): string => (line.split(" ", 5)[4] ?? "").replaceAll(/\\(\d{3})/g, unescape);
  return lines.filter((line) => roots.some((root) => isInside(placeOf(line), root))).join("\n");
}

function unescape(_: string, octal: string): string {
  return String.fromCharCode(Number.parseInt(octal, 8));
}

/**
 * File systems that only this kernel changes, so that it reports every change: ext2 to ext4, XFS,
 * Btrfs, tmpfs, F2FS, overlayfs, ZFS, bcachefs, by statfs(2). File systems mounted from elsewhere
 * are also changed there.
 */
const toldOf: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x794c7630, 0x2fc12fc1, 0xca451a4e,
]);

function isToldOf(path: string): boolean {
  try {
    return toldOf.has(statfsSync(toNative(path)).type);
  } catch {
    return false;
  }
}
