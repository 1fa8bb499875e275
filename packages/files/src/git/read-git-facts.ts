import { join } from "node:path";
import { readTextIfAny } from "../look/path-facts.ts";
import { findWorkTree } from "./find-work-tree.ts";
import { readCommonFolder, readGitEntry } from "./git-entry.ts";
import { parseGitConfig } from "./parse-git-config.ts";

/** Where a repository stands. */
export interface GitFacts {
  /** Null: there is no commit yet, or it cannot be read as easily. */
  readonly commit: string | null;
  /** Null: the head is at a commit and no branch. */
  readonly branch: string | null;
  /** The address of the remote `origin`, without its login; null: there is none. */
  readonly repository: string | null;
}

/** Facts about the repository around `folder`, from git's files, without running git. Null: there is none. */
export function readGitFacts(folder: string): GitFacts | null {
  const workTree = findWorkTree(folder);
  const entry = workTree === null ? null : readGitEntry(workTree);
  if (entry === null || entry.type === "none" || entry.gitFolder === null) return null;
  const head = readTextIfAny(join(entry.gitFolder, "HEAD"))?.trim();
  if (head === undefined) return null;
  const common = readCommonFolder(entry.gitFolder);
  const [, ref = null] = /^ref: (refs\/\S+)$/.exec(head) ?? [];
  return {
    commit: toCommit(ref === null ? head : readRef([entry.gitFolder, common], ref)),
    branch: ref?.replace(/^refs\/heads\//, "").toWellFormed() ?? null,
    repository: readOrigin(common),
  };
}

/** A work tree's own before what it shares with others. */
function readRef(gitFolders: readonly string[], ref: string): string {
  for (const gitFolder of gitFolders) {
    const commit = readTextIfAny(join(gitFolder, ref));
    if (commit !== null) return commit.trim();
  }
  const packed = readTextIfAny(join(gitFolders.at(-1) ?? "", "packed-refs")) ?? "";
  const line = packed.split("\n").find((each) => each.endsWith(` ${ref}`));
  return line?.split(" ")[0] ?? "";
}

function toCommit(text: string): string | null {
  return /^[\da-f]{40}(?:[\da-f]{24})?$/.test(text) ? text : null;
}

function readOrigin(common: string): string | null {
  const config = parseGitConfig(readTextIfAny(join(common, "config")) ?? "");
  const url = config?.find(({ key }) => key === "remote.origin.url")?.value ?? null;
  return url?.replace(/^(\w[\w+.-]*:\/\/)[^/@]*@/, "$1").toWellFormed() ?? null;
}
