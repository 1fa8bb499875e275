import { dirname } from "node:path";
import { isGitFolder, readGitEntry } from "./git-entry.ts";

/**
 * The nearest root of a git work tree upward from `folder`, `folder` itself included; null where there is none. By its path as
 * written: links in it are not followed. The one definition: what a project's root is, which instructions and configuration
 * count, and which repository is kept from commands all go by it.
 */
export function findWorkTree(folder: string): string | null {
  for (let candidate = folder; ; candidate = dirname(candidate)) {
    if (hasRepository(candidate)) return candidate;
    if (candidate === dirname(candidate)) return null;
  }
}

/** An empty `.git` is none to git: it may be what a sandbox holds the name down with, and gone the next moment. */
function hasRepository(folder: string): boolean {
  const entry = readGitEntry(folder);
  return entry.type === "folder" ? isGitFolder(entry.gitFolder) : entry.type !== "none";
}
