import { statfsSync } from "node:fs";
import { isInside, readTextIfAny, toNative } from "@unroll/files";
import type { FolderChange, FolderWatch } from "./folder-watch.ts";

/** The folders of a tree whose changes the kernel reports. The others have to be looked at. */
export interface TreeWatch {
  /**
   * Watches `more` too, as far as that is possible, and returns the changes since the last report.
   * `lost`: changes went unnoticed, so start a new watch. `ended`: there can be none.
   */
  readonly hear: (more: readonly string[]) => Promise<readonly FolderChange[] | "lost" | "ended">;
  /** Whether each change of this folder is reported. */
  readonly covers: (path: string, device: number) => boolean;
  readonly forget: (paths: readonly string[]) => void;
  readonly close: () => void;
}

export function createTreeWatch(roots: readonly string[], watch: FolderWatch, mostWatched: number): TreeWatch {
  const watched = new Set<string>();
  const mounts = readMounts(roots);
  const devices = new Map<number, boolean>();

  async function hear(more: readonly string[]): Promise<readonly FolderChange[] | "lost" | "ended"> {
    const next = more.filter((path) => !watched.has(path)).slice(0, Math.max(0, mostWatched - watched.size));
    const report = await watch.report(next);
    if (report.type === "failed") return "ended";
    if (report.type === "overflow") return "lost";
    for (const path of next) watched.add(path);
    for (const path of report.closed) watched.delete(path);
    const isRootGone = report.changes.some(({ folder, name }) => name === null && roots.includes(folder));
    return isRootGone || readMounts(roots) !== mounts ? "lost" : report.changes;
  }

  function covers(path: string, device: number): boolean {
    const isTold = devices.get(device) ?? isToldOf(path);
    devices.set(device, isTold);
    return isTold && watched.has(path);
  }

  function forget(paths: readonly string[]): void {
    const gone = paths.filter((path) => watched.delete(path));
    if (gone.length > 0) watch.forget(gone);
  }

  return { hear, covers, forget, close: watch.close };
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

/** Whether the kernel reports every change of the file system at `path`. */
export function isToldOf(path: string): boolean {
  try {
    return toldOf.has(statfsSync(toNative(path)).type);
  } catch {
    return false;
  }
}
