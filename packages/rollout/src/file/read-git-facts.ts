import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";

/** Where a repository stands. */
export interface GitFacts {
  /** Null: there is no commit yet, or it cannot be read as easily. */
  readonly commit: string | null;
  /** Null: the head is at a commit and no branch. */
  readonly branch: string | null;
  /** Of the remote `origin`, without what it logs in by; null where there is none. */
  readonly repository: string | null;
}

/** A packed-refs file that is larger is not read: the commit is left out then. In bytes. */
const mostBytes = 1024 * 1024;

/** Of the repository that a folder is in, from git's files, by no process. Null: it is in none. Never rejects. */
export async function readGitFacts(folder: string): Promise<GitFacts | null> {
  const git = await findGitFolder(folder);
  if (git === null) return null;
  const head = (await readText(join(git, "HEAD")))?.trim();
  if (head === undefined) return null;
  const common = toFolder(git, (await readText(join(git, "commondir")))?.trim() ?? ".");
  const repository = readOrigin((await readText(join(common, "config"))) ?? "");
  const [, ref = null] = /^ref: (refs\/\S+)$/.exec(head) ?? [];
  if (ref === null) return { commit: toCommit(head), branch: null, repository };
  const commit = (await readText(join(git, ref))) ?? (await readText(join(common, ref)));
  return {
    commit: toCommit(commit?.trim() ?? (await readPacked(common, ref))),
    branch: ref.replace(/^refs\/heads\//, ""),
    repository,
  };
}

async function findGitFolder(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, ".git");
    if ((await readText(join(path, "HEAD"))) !== null) return path;
    // a linked worktree or a submodule: gitrepository-layout(5)
    const [, place] = /^gitdir: (.+)$/m.exec((await readText(path)) ?? "") ?? [];
    if (place !== undefined) return toFolder(at, place.trim());
    if (dirname(at) === at) return null;
  }
}

function toFolder(base: string, path: string): string {
  return isAbsolute(path) ? path : join(base, path);
}

async function readPacked(common: string, ref: string): Promise<string> {
  const packed = (await readText(join(common, "packed-refs"))) ?? "";
  const line = packed.split("\n").find((each) => each.endsWith(` ${ref}`));
  return line?.split(" ")[0] ?? "";
}

function toCommit(text: string): string | null {
  return /^[\da-f]{40}(?:[\da-f]{24})?$/.test(text) ? text : null;
}

function readOrigin(config: string): string | null {
  const [, section = ""] = /^\s*\[remote "origin"\]\s*$([^[]*)/m.exec(config) ?? [];
  const [, url] = /^\s*url\s*=\s*(.+?)\s*$/m.exec(section) ?? [];
  return url === undefined ? null : url.replace(/^"|"$/g, "").replace(/^(\w[\w+.-]*:\/\/)[^/@]*@/, "$1");
}

/** Null: there is no such file, or it is large or no file at all. */
async function readText(path: string): Promise<string | null> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK); // a pipe has no end
    const found = await file.stat();
    return found.isFile() && found.size <= mostBytes ? await file.readFile("utf8") : null;
  } catch {
    return null;
  }
}
