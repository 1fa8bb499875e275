import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readTextIfAny, resolveIfAny } from "../look/path-facts.ts";
import { readCommonFolder, readGitEntry } from "./git-entry.ts";

/**
 * The roots of all work trees of the repository of `workTree`, itself first: the main one and those
 * of `git worktree`. Deleted ones are left out. Only itself if git's files say no more.
 */
export function listWorkTrees(workTree: string): readonly string[] {
  const entry = readGitEntry(workTree);
  if (entry.type === "none" || entry.gitFolder === null) return [workTree];
  const common = readCommonFolder(entry.gitFolder);
  const main = basename(common) === ".git" ? [dirname(common)] : [];
  const linked = listNames(join(common, "worktrees")).flatMap((name) => {
    const pointer = readTextIfAny(join(common, "worktrees", name, "gitdir"))?.trim() ?? "";
    const root = pointer === "" ? null : resolveIfAny(dirname(pointer));
    return root === null ? [] : [root];
  });
  return [...new Set([workTree, ...main, ...linked])];
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
