import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const foldersOfOne = 100;

/** Makes a folder a git repository with so many folders: in each that it has, a hundred. */
export function makeLargeRepository(folder: string, count: number): string {
  spawnSync("git", ["init", "-q", folder]);
  for (let index = 0; index < count; index += 1)
    mkdirSync(join(folder, `d${Math.floor(index / foldersOfOne)}`, String(index % foldersOfOne)), { recursive: true });
  return folder;
}
