import type { HeldFolders } from "./held-folders.ts";
import type { PatchFiles, PatchFileStat, PatchFolder } from "./patch-files.ts";

/** Where a path of the patch leads. */
export interface FileLocation {
  readonly type: "file.location";
  /** Every symbolic link on the way followed. */
  readonly realPath: string;
  /** The last part of it. */
  readonly name: string;
  /** The nearest folder on the way that exists. */
  readonly folder: PatchFolder;
  /** Folders below that one which do not exist, parents first; real paths. */
  readonly missingFolders: readonly string[];
  /** Null when nothing is there. */
  readonly stat: PatchFileStat | null;
}
/** A path that leads nowhere a file can be. */
export interface NoLocation {
  readonly type: "no.location";
  /** Completes "<path> …". */
  readonly reason: string;
}
type FolderLocation = Pick<FileLocation, "folder" | "missingFolders">;

/** The context of path lookups. */
export interface Places {
  readonly files: PatchFiles;
  readonly folders: HeldFolders;
}

/** The place of `path` itself: a symbolic link there is the place, not what it points at. */
export async function locateEntry(places: Places, path: string): Promise<FileLocation | NoLocation> {
  const { files } = places;
  const parent = files.resolve(path, "..");
  if (parent === path) return { type: "no.location", reason: "is a folder" };
  const found = await locateFolder(places, parent);
  if ("reason" in found) return found;
  const name = lastName(path, parent);
  const realPath = files.resolve(realPathOf(found), name);
  const stat = found.missingFolders.length > 0 ? null : await found.folder.stat(name);
  return { type: "file.location", realPath, name, stat, ...found };
}

/** The file that a write to `entry` would reach. */
export async function followLink(places: Places, entry: FileLocation): Promise<FileLocation | NoLocation> {
  if (entry.stat?.type !== "link") return entry;
  const realPath = await entry.folder.followLink(entry.name);
  if (realPath === null) return { type: "no.location", reason: "is a symbolic link to something that does not exist" };
  const target = await locateEntry(places, realPath);
  if (target.type === "no.location") return target;
  return target.realPath === realPath && target.stat?.type !== "link" ? target : replaced;
}

async function locateFolder(places: Places, path: string): Promise<FolderLocation | NoLocation> {
  const { files, folders } = places;
  const opened = await folders.open(path);
  if (opened !== null) return { folder: opened, missingFolders: [] };
  const parent = files.resolve(path, "..");
  if (parent === path) return noFolder;
  const above = await locateFolder(places, parent);
  if ("reason" in above) return above;
  const name = lastName(path, parent);
  const obstacle = above.missingFolders.length > 0 ? null : await above.folder.stat(name);
  if (obstacle !== null) return obstacle.type === "directory" ? replaced : noFolder;
  const realPath = files.resolve(realPathOf(above), name);
  return { folder: above.folder, missingFolders: [...above.missingFolders, realPath] };
}

const noFolder: NoLocation = {
  type: "no.location",
  reason: "is on a path that runs through something that is not a folder",
};
const replaced: NoLocation = {
  type: "no.location",
  reason: "is on a path that something else is changing at this moment",
};

/** The real path of the folder that a file's `FolderLocation` means, whether it exists or not. */
export function realPathOf({ folder, missingFolders }: FolderLocation): string {
  return missingFolders.at(-1) ?? folder.realPath;
}

/** The last part of `path`, whatever the separator is. */
export function lastName(path: string, parent: string): string {
  return path.slice(parent.length).replace(/^[/\\]/, "");
}
