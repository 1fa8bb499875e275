import { lstatSync } from "node:fs";
import { join } from "node:path";
import { toNative } from "@unroll/files";
import { listEntries, type Entry } from "../files/list-entries.ts";

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

/** `before` itself where nothing has changed since. Null: it is gone, or closed to us and so to git. */
export function lookAtFolder(path: string, before: KnownFolder | null): KnownFolder | null {
  try {
    const { ctimeMs: changedAt, dev: device, ino: inode } = lstatSync(toNative(path));
    if (before !== null && isSame(before, { changedAt, device, inode })) return before;
    const entries = listEntries(path);
    if (entries === null) return null;
    const folders = entries
      .filter((entry) => entry.isFolder && !isPassedOver(path, entry))
      .map(({ name }) => join(path, name));
    return { changedAt, device, inode, folders, isCandidate: looksLikeRepository(entries) };
  } catch {
    return null;
  }
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
