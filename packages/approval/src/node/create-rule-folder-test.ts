import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isGitFolder, isInside, readGitEntry, resolveIfAny, statIfAny } from "@unroll/files";

export interface RuleFolderOptions {
  /** The working folder and the other folders that people named. They may change while a thread is open. */
  readonly listFolders: () => readonly string[];
  /** Whether there are rules: only then is it worth a search for the repositories below. */
  readonly hasRules: () => boolean;
}

/**
 * Whether rules that allow a command count in a folder: only below the listed folders, with links followed, and only if the
 * folder exists. For git also only if the repository that git finds from there was there before the first command ran: a
 * repository names programs that git runs, and commands can make one. To be created when a thread opens.
 */
export function createRuleFolderTest(options: RuleFolderOptions): (folder: string, usesGit: boolean) => boolean {
  const known = new Map<string, string | null>();
  const searched = new Set<string>();
  const learn = (repositories: readonly (string | null)[]): void => {
    for (const root of repositories) if (root !== null && !known.has(root)) known.set(root, identify(root));
  };
  const listRealFolders = (): readonly string[] =>
    options.listFolders().flatMap((folder) => resolveIfAny(folder) ?? []);
  learn(listRealFolders().map(findRepository));
  return (folder, usesGit) => {
    const folders = listRealFolders();
    for (const each of folders.filter((candidate) => !searched.has(candidate))) {
      searched.add(each);
      learn([findRepository(each), ...(options.hasRules() ? findRepositoriesBelow(each) : [])]);
    }
    // `link/..` is the folder around the link for a shell, and the one around its target for the system.
    return [folder, resolve(folder)].every((path) => {
      const real = resolveIfAny(path);
      if (real === null || !folders.some((each) => isInside(real, each))) return false;
      const root = usesGit ? findRepository(real) : null;
      return root === null || (known.has(root) && known.get(root) === identify(root));
    });
  };
}

/** The nearest folder upward that git takes for a repository or its work tree. */
function findRepository(folder: string): string | null {
  for (let candidate = folder; ; candidate = dirname(candidate)) {
    if (isRepository(candidate)) return candidate;
    if (candidate === dirname(candidate)) return null;
  }
}

/** An empty `.git` is none to git: a sandbox may hold the name down with it. */
function isRepository(folder: string): boolean {
  const entry = readGitEntry(folder);
  return entry.type === "none" || (entry.type === "folder" && !isGitFolder(entry.gitFolder))
    ? isGitFolder(folder)
    : true;
}

/** Identifies the root of a repository, so that a replaced one is noticed. Null: nothing that can be looked at. */
function identify(root: string): string | null {
  const { type, ...entry } = readGitEntry(root);
  const named = "gitFolder" in entry ? entry.gitFolder : null;
  const paths = type === "none" ? [root] : [join(root, ".git"), named ?? root];
  const stats = paths.map(statIfAny);
  if (stats.includes(null)) return null;
  return [named, ...stats.map((each) => each && `${each.dev}:${each.ino}:${each.birthtimeMs}`)].join(" ");
}

const mostSearched = 1000;

/** In breadth, up to a bound: what lies further is not known, so that rules for git do not count there. */
function findRepositoriesBelow(folder: string): readonly string[] {
  const queue = [folder];
  for (let at = 0; at < queue.length && at < mostSearched; at += 1) queue.push(...listFoldersIn(queue[at] ?? folder));
  return queue.slice(1, mostSearched).filter(isRepository);
}

function listFoldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^(?:\.git|node_modules)$/.test(entry.name))
      .map((entry) => join(folder, entry.name));
  } catch {
    return [];
  }
}
