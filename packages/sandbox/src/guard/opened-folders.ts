import { dirname } from "node:path";
import { isInside } from "@unroll/files";
import { findOwnUser } from "@unroll/process-tree";
import { changeMode, type HeldFolder, holdFolder } from "../files/with-folder.ts";

/**
 * Opens folders that a command has closed to this user (`chmod 000`), so that the guard can look
 * inside. Git cannot enter them now, but obeys what is in them as soon as the user opens them. Only
 * the owner's rights are added, until `closeAgain`.
 */
export interface OpenedFolders {
  /**
   * Opens each closed folder of this user on the way to `path`, and `path` itself. False: there was
   * none to open.
   */
  readonly openWay: (path: string) => boolean;
  /** Restores the mode of every opened folder, unless someone has changed it since. */
  readonly closeAgain: () => void;
}

interface Opened {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
  /** The original mode. */
  readonly mode: number;
}

/** The rights that the owner needs to list a folder and reach its entries. */
export const ownersRights = 0o500;

/** Nothing above `roots` is opened. Root can enter every folder anyway. */
export function createOpenedFolders(roots: readonly string[]): OpenedFolders {
  if (findOwnUser().uid === 0) return { openWay: () => false, closeAgain: () => {} };
  let opened: Opened[] = [];

  function open(path: string): boolean {
    return withFolderIfAny(path, ({ place, stats: { mode: all, dev: device, ino: inode } }) => {
      const mode = all & 0o7777;
      if ((mode & ownersRights) === ownersRights || !changeMode(place, mode | ownersRights)) return false;
      opened.push({ path, device, inode, mode });
      return true;
    });
  }

  return {
    openWay(path) {
      const root = roots.find((each) => isInside(path, each));
      const way = root === undefined ? [] : [path];
      for (let folder = path; root !== undefined && folder !== root; folder = dirname(folder))
        way.unshift(dirname(folder));
      return way.map(open).includes(true);
    },
    closeAgain() {
      // Inner folders first: the way to them leads through the outer ones.
      for (const { path, device, inode, mode } of opened.toReversed()) {
        withFolderIfAny(path, ({ place, stats }) => {
          const isThatOne = stats.dev === device && stats.ino === inode;
          return isThatOne && (stats.mode & 0o7777) === (mode | ownersRights) && changeMode(place, mode);
        });
      }
      opened = [];
    },
  };
}

/** False if there is no folder, or no way to it. */
function withFolderIfAny(path: string, work: (folder: HeldFolder) => boolean): boolean {
  try {
    return holdFolder(path, work);
  } catch {
    return false;
  }
}
