import type { FileSearch, FolderEntry } from "../prompt-files.ts";
import { joinPath } from "./path.ts";

/** Files that people wrote for agents, below a folder. */
export interface FileKind {
  /** Their content, for warnings. */
  readonly plural: "skills" | "roles";
  readonly isWanted: (path: string) => boolean;
  /** Whether a folder with such a file belongs to it, and is not looked into, unless it is the root. */
  readonly ownsFolder: boolean;
}

/** How many folders deep below a root files are looked for. */
const maxDepth = 6;
/** How many folders are looked into below each root. */
const maxFolders = 1000;

interface PendingFolder {
  readonly path: string;
  readonly depth: number;
}

/**
 * The files below the roots: root by root, in code-unit order of their paths. Hidden folders and `node_modules` are
 * skipped. Links are followed, but no folder is looked into twice, so roots may overlap or be links to each other.
 */
export async function findFilesBelow(
  search: FileSearch,
  roots: readonly string[],
  kind: FileKind,
): Promise<readonly string[]> {
  const seen = new Set<string>();
  const found: string[] = [];
  for (const root of roots) found.push(...(await findBelow(search, { root, kind, seen })));
  return found;
}

interface RootSearch {
  readonly root: string;
  readonly kind: FileKind;
  /** Folders, without links. */
  readonly seen: Set<string>;
}

async function findBelow(search: FileSearch, { root, kind, seen }: RootSearch): Promise<readonly string[]> {
  const { plural, isWanted, ownsFolder } = kind;
  const found: string[] = [];
  const limit = seen.size + maxFolders;
  const pending: PendingFolder[] = [{ path: root, depth: 0 }];
  for (let folder = pending.shift(); folder !== undefined; folder = pending.shift()) {
    const { path, depth } = folder;
    const listing = await search.files.list(path);
    if (listing.type === "unreadable") search.warn(`Cannot look for ${plural} in ${path}: ${listing.reason}.`);
    if (listing.type !== "listed" || seen.has(listing.realPath)) continue;
    if (seen.size === limit) {
      const begun = `${plural.slice(0, 1).toUpperCase()}${plural.slice(1)}`;
      search.warn(`${begun} below ${root} were looked for in the first ${maxFolders} folders only.`);
      break;
    }
    seen.add(listing.realPath);
    const files = listing.entries
      .filter(({ type }) => type === "file")
      .map(({ name }) => joinPath(path, name))
      .filter(isWanted);
    found.push(...files);
    if (depth === 0 || (!(ownsFolder && files.length > 0) && depth < maxDepth))
      pending.push(...subfolders(folder, listing.entries));
  }
  return found.sort();
}

function subfolders(folder: PendingFolder, entries: readonly FolderEntry[]): readonly PendingFolder[] {
  return entries
    .filter((entry) => entry.type === "folder" && !entry.name.startsWith(".") && entry.name !== "node_modules")
    .map((entry) => entry.name)
    .sort()
    .map((name) => ({ path: joinPath(folder.path, name), depth: folder.depth + 1 }));
}
