import type { Stats } from "node:fs";
import { join } from "node:path";
import { statIfAny } from "@unroll/files";
import { listEntries, type Entry } from "../files/list-entries.ts";
import { type OpenedFolders, ownersRights } from "./opened-folders.ts";

/** What a folder was when it was last looked at. */
export interface KnownFolder {
  /** When its list of names last changed, in ms, to a quarter of a microsecond: whole ns take a quarter longer to get. */
  readonly changedAt: number;
  readonly device: number;
  /** Folders made in one tick of the clock have one time, and may trade places. */
  readonly inode: number;
  /** Paths: to join them anew at each look would take as long as the look. */
  readonly folders: readonly string[];
  /** Git may take it for the top of a repository, or for a repository itself. */
  readonly isCandidate: boolean;
}

/**
 * `before` itself where nothing has changed since. A folder that this user has closed to himself is opened, and stays open for what
 * is in it until `opened` is closed again. Null: it is gone, or somebody else has closed it, and so to git.
 */
export function lookAtFolder(path: string, before: KnownFolder | null, opened: OpenedFolders): KnownFolder | null {
  try {
    const stats = statIfAny(path);
    if (stats !== null && before !== null && isSame(before, toTrace(stats))) return before;
    const isClosed = stats === null || (stats.mode & ownersRights) !== ownersRights;
    const now = isClosed && opened.openWay(path) ? statIfAny(path) : stats;
    const entries = now === null ? null : listEntries(path);
    if (now === null || entries === null) return null;
    const folders = entries
      .filter((entry) => entry.isFolder && !isPassedOver(path, entry))
      .map(({ name }) => join(path, name));
    return { ...toTrace(now), folders, isCandidate: looksLikeRepository(entries) };
  } catch {
    return null;
  }
}

function toTrace({ ctimeMs: changedAt, dev: device, ino: inode }: Stats): FolderTrace {
  return { changedAt, device, inode };
}

/** Whether it is that folder still, with the same names in it. */
export function isSame(a: FolderTrace, b: FolderTrace | null): boolean {
  return a.changedAt === b?.changedAt && a.inode === b.inode && a.device === b.device;
}

type FolderTrace = Pick<KnownFolder, "changedAt" | "device" | "inode">;

/** In what the kernel shows of itself there are no repositories, and it never comes to rest. */
function isPassedOver(parent: string, { name }: Entry): boolean {
  return parent === "/" && ["proc", "sys", "dev"].includes(name);
}

/** The names that it goes by are those that `watchProgram` tells of. */
function looksLikeRepository(entries: readonly Entry[]): boolean {
  const names = new Set(entries.map(({ name }) => name));
  return (
    names.has(".git") || (names.has("HEAD") && (names.has("commondir") || (names.has("objects") && names.has("refs"))))
  );
}
