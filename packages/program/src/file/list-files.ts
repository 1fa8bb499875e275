import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { type GitPlace, spawnGitQuery } from "@unroll/process-tree";

/** Per folder, so that no home folder is searched for minutes. */
const maxFiles = 200_000;
/** Of git's list, in UTF-16 units. */
const maxLength = 64 * 1024 * 1024;
/** Given at a time, about: nobody waits longer for so many. */
const batchFiles = 1000;
/** Never of interest, where no git says what is. */
const skippedFolders: ReadonlySet<string> = new Set(["node_modules", ".git", "target", "dist", ".venv", "__pycache__"]);

/**
 * The files of a folder, relative to it with `/`, some at a time: those of git (tracked, and new ones that it does not ignore), or,
 * where there is no git, all but hidden ones and what tools generate. An abort ends it early.
 */
export async function* listFiles(place: GitPlace): AsyncGenerator<readonly string[], void> {
  const isListed = yield* listByGit(place);
  if (!isListed) yield* walk(place);
}

/** Returns whether git knows the folder. */
async function* listByGit(place: GitPlace): AsyncGenerator<readonly string[], boolean> {
  const git = spawnGitQuery(["ls-files", "-z", "--cached", "--others", "--exclude-standard"], place);
  if (git === null) return false;
  const exited = new Promise<boolean>((resolve) => {
    git.on("error", () => resolve(false)); // no git, or aborted
    git.on("close", (code) => resolve(code === 0));
  });
  let [rest, last, length] = ["", "", 0];
  for await (const piece of git.stdout.setEncoding("utf8")) {
    const paths = (rest + String(piece)).split("\0");
    rest = paths.pop() ?? "";
    // one that is not merged is named several times, in a row
    yield paths.filter((path, at) => path !== (at === 0 ? last : paths[at - 1]));
    last = paths.at(-1) ?? last;
    length += String(piece).length;
    if (length > maxLength) break;
  }
  return (await exited) || length > 0;
}

async function* walk({ cwd, signal }: GitPlace): AsyncGenerator<readonly string[], void> {
  let [batch, count]: [string[], number] = [[], 0];
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined && count < maxFiles; folder = waiting.pop()) {
    for await (const entry of readFolder(join(cwd, folder))) {
      if (signal?.aborted) return;
      if (entry.name.startsWith(".")) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !skippedFolders.has(entry.name)) waiting.push(path);
      if (entry.isFile()) batch.push(path);
      if (batch.length < batchFiles) continue;
      yield batch;
      count += batch.length;
      batch = [];
    }
  }
  yield batch;
}

/** Piece by piece: of a folder with 100,000 files all at once would take longer than a key may wait. One that cannot be read is empty. */
async function* readFolder(path: string): AsyncGenerator<Dirent, void> {
  try {
    yield* await opendir(path, { bufferSize: batchFiles / 4 });
  } catch {}
}
