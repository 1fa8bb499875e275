import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { safeGitOptions } from "../git/safe-git-options.ts";

/** Of one folder, so that no home folder is walked for minutes. */
const maxFiles = 200_000;
const maxBytes = 64 * 1024 * 1024;
/** Never of interest, where no git says what is. */
const skippedFolders: ReadonlySet<string> = new Set(["node_modules", ".git", "target", "dist", ".venv", "__pycache__"]);

/**
 * The files of a folder, relative to it with `/`: those of git (tracked, and new ones that it does not ignore), or, where there
 * is no git, all but hidden ones and what tools generate.
 */
export async function listFiles(folder: string, signal: AbortSignal): Promise<readonly string[]> {
  return (await listByGit(folder, signal)) ?? (await walk(folder, signal));
}

/** Null: no git, or no work tree. */
function listByGit(folder: string, signal: AbortSignal): Promise<readonly string[] | null> {
  const args = [...safeGitOptions, "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  return new Promise((resolve) => {
    execFile("git", args, { cwd: folder, signal, maxBuffer: maxBytes }, (error, stdout) => {
      resolve(error === null ? [...new Set(stdout.split("\0").filter((path) => path !== ""))] : null);
    });
  });
}

async function walk(root: string, signal: AbortSignal): Promise<readonly string[]> {
  const found: string[] = [];
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined && found.length < maxFiles; folder = waiting.pop()) {
    if (signal.aborted) break;
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.name.startsWith(".")) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) found.push(path);
      else if (entry.isDirectory() && !skippedFolders.has(entry.name)) waiting.push(path);
    }
  }
  return found;
}
