import type { Stats } from "node:fs";
import { join } from "node:path";
import { type Entry, statIfAny } from "@unroll/files";
import { listExisting } from "../files/list-entries.ts";
import { type OpenedFolders, ownersRights } from "./opened-folders.ts";

/** The state of a folder when it was last looked at. */
export interface KnownFolder {
  /**
   * When its list of names last changed, in ms, to a quarter of a microsecond. Exact nanoseconds
   * take 25 % longer to read.
   */
  readonly changedAt: number;
  readonly device: number;
  /** Folders created within one clock tick have the same time, and could be swapped. */
  readonly inode: number;
  /** False: it changed so recently that another change may have left the same time stamp. */
  readonly isSettled: boolean;
  /** Full paths: joining them for each look would take as long as the look. */
  readonly folders: readonly string[];
  /** Git may take it for the top of a repository, or for a repository itself. */
  readonly isCandidate: boolean;
}

/** How to look at a folder. */
export interface Looking {
  readonly opened: OpenedFolders;
  /** The file system's time, in ms, before which a change is settled. */
  readonly settledBefore: number;
}

/**
 * Returns `before` itself if nothing has changed. A folder that this user has closed to themselves
 * is opened, and stays open for its subfolders until `opened` is closed. Null: it was deleted, or
 * another user has closed it, which stops git as well.
 */
export function lookAtFolder(path: string, before: KnownFolder | null, looking: Looking): KnownFolder | null {
  const { opened, settledBefore } = looking;
  try {
    const stats = statIfAny(path);
    if (stats !== null && before?.isSettled === true && isSame(before, toTrace(stats))) return before;
    const isClosed = stats === null || (stats.mode & ownersRights) !== ownersRights;
    const now = isClosed && opened.openWay(path) ? statIfAny(path) : stats;
    const entries = now === null ? null : listExisting(path);
    if (now === null || entries === null) return null;
    const folders = entries
      .filter((entry) => entry.kind === "folder" && !isPassedOver(path, entry))
      .map(({ name }) => join(path, name));
    const trace = toTrace(now);
    return { ...trace, isSettled: trace.changedAt < settledBefore, folders, isCandidate: looksLikeRepository(entries) };
  } catch {
    return null;
  }
}

function toTrace({ ctimeMs: changedAt, dev: device, ino: inode }: Stats): FolderTrace {
  return { changedAt, device, inode };
}

/** Whether it is the same folder with the same names in it. */
export function isSame(a: FolderTrace, b: FolderTrace | null): boolean {
  return a.changedAt === b?.changedAt && a.inode === b.inode && a.device === b.device;
}

type FolderTrace = Pick<KnownFolder, "changedAt" | "device" | "inode">;

/** The kernel's own file systems hold no repositories and change all the time. */
function isPassedOver(parent: string, { name }: Entry): boolean {
  return parent === "/" && ["proc", "sys", "dev"].includes(name);
}

/** It checks the same names that `watchProgram` reports. */
function looksLikeRepository(entries: readonly Entry[]): boolean {
  const names = new Set(entries.map(({ name }) => name));
  return (
    names.has(".git") || (names.has("HEAD") && (names.has("commondir") || (names.has("objects") && names.has("refs"))))
  );
}
