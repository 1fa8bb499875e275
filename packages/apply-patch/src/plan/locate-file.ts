import type { PatchFiles, PatchFileStat } from "./patch-files.ts";

/** Where a path of the patch leads. */
export interface FileLocation {
  readonly type: "file.location";
  /** Every symbolic link on the way followed. */
  readonly realPath: string;
  /** Null when nothing is there. */
  readonly stat: PatchFileStat | null;
  /** Folders on the way that do not exist, parents first; real paths. */
  readonly missingFolders: readonly string[];
}
/** A path that leads nowhere a file can be. */
export interface NoLocation {
  readonly type: "no.location";
  /** Completes "<path> …". */
  readonly reason: string;
}
type Folder = Pick<FileLocation, "realPath" | "missingFolders">;

/** The place of `path` itself: a symbolic link there is the place, not what it points at. */
export async function locateEntry(files: PatchFiles, path: string): Promise<FileLocation | NoLocation> {
  const parent = files.resolve(path, "..");
  if (parent === path) return { type: "no.location", reason: "is a folder" };
  const folder = await locateFolder(files, parent);
  if ("reason" in folder) return folder;
  const realPath = files.resolve(folder.realPath, lastName(path, parent));
  const stat = folder.missingFolders.length > 0 ? null : await files.stat(realPath);
  return { type: "file.location", realPath, stat, missingFolders: folder.missingFolders };
}

/** The file that a write to `entry` would reach. */
export async function followLink(files: PatchFiles, entry: FileLocation): Promise<FileLocation | NoLocation> {
  if (entry.stat?.type !== "link") return entry;
  const realPath = await files.realpath(entry.realPath);
  if (realPath === null) return { type: "no.location", reason: "is a symbolic link to something that does not exist" };
  return { ...entry, realPath, stat: await files.stat(realPath) };
}

async function locateFolder(files: PatchFiles, path: string): Promise<Folder | NoLocation> {
  const stat = await files.stat(path);
  const parent = files.resolve(path, "..");
  if (stat !== null || parent === path) return existingFolder(files, path, stat);
  const folder = await locateFolder(files, parent);
  if ("reason" in folder) return folder;
  const realPath = files.resolve(folder.realPath, lastName(path, parent));
  return { realPath, missingFolders: [...folder.missingFolders, realPath] };
}

async function existingFolder(
  files: PatchFiles,
  path: string,
  stat: PatchFileStat | null,
): Promise<Folder | NoLocation> {
  const realPath = await files.realpath(path);
  const target = stat?.type === "link" && realPath !== null ? await files.stat(realPath) : stat;
  if (realPath === null || target?.type !== "directory")
    return { type: "no.location", reason: "is on a path that runs through something that is not a folder" };
  return { realPath, missingFolders: [] };
}

/** The last part of `path`, whatever the separator is. */
function lastName(path: string, parent: string): string {
  return path.slice(parent.length).replace(/^[/\\]/, "");
}
