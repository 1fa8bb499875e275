import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** The branch of a work tree, or the beginning of the commit that it stands at; null where there is none to tell. */
export async function readBranch(projectRoot: string | null): Promise<string | null> {
  if (projectRoot === null) return null;
  const git = join(projectRoot, ".git");
  const head = (await readText(join(git, "HEAD"))) ?? (await readLinkedHead(git));
  if (head === null) return null;
  return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? head.trim().slice(0, 7);
}

/** Of a linked work tree or a submodule: `.git` is a file that says where the repository is. */
async function readLinkedHead(git: string): Promise<string | null> {
  const folder = /^gitdir: (.+)$/m.exec((await readText(git)) ?? "")?.[1];
  return folder === undefined ? null : readText(join(resolve(dirname(git), folder), "HEAD"));
}

async function readText(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}
