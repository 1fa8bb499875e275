import type { FileSearch } from "../file/file-search.ts";
import { joinPath } from "../file/path.ts";
import type { FolderEntry } from "../prompt-files.ts";

/** How many folders deep below a root skills are looked for. */
const maxDepth = 6;
/** How many folders are looked into below each root. */
const maxFolders = 1000;

interface PendingFolder {
  readonly path: string;
  readonly depth: number;
}

/**
 * The SKILL.md files below the roots: root by root, in code-unit order of their paths. What lies inside a skill's own folder
 * belongs to that skill, unless that is the root. Hidden folders and `node_modules` are passed over. Links are followed, but
 * no folder is looked into twice, so roots may overlap or be links to each other.
 */
export async function findSkillFiles(search: FileSearch, roots: readonly string[]): Promise<readonly string[]> {
  const seen = new Set<string>();
  const found: string[] = [];
  for (const root of roots) found.push(...(await findBelow(search, root, seen)));
  return found;
}

async function findBelow(search: FileSearch, root: string, seen: Set<string>): Promise<readonly string[]> {
  const found: string[] = [];
  const limit = seen.size + maxFolders;
  const pending: PendingFolder[] = [{ path: root, depth: 0 }];
  for (let folder = pending.shift(); folder !== undefined; folder = pending.shift()) {
    const listing = await search.files.list(folder.path);
    if (listing.type === "unreadable") search.warn(`Cannot look for skills in ${folder.path}: ${listing.reason}.`);
    if (listing.type !== "listed" || seen.has(listing.realPath)) continue;
    if (seen.size === limit) {
      search.warn(`Skills below ${root} were looked for in the first ${maxFolders} folders only.`);
      break;
    }
    seen.add(listing.realPath);
    const isSkill = listing.entries.some((entry) => entry.name === "SKILL.md" && entry.type === "file");
    if (isSkill) found.push(joinPath(folder.path, "SKILL.md"));
    if (folder.depth === 0 || (!isSkill && folder.depth < maxDepth))
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
