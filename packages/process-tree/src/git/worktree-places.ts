import { readFile, rm, rmdir } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { makeLockFile } from "@unroll/files";
import type { ProgramPlaces } from "../program/open-programs.ts";
import type { GitResult } from "./run-git.ts";

/** The folder for the data of unroll (XDG Base Directory). */
export function findDataFolder({
  env,
  homeDirectory,
}: Pick<ProgramPlaces, "env"> & { readonly homeDirectory: string }): string {
  const configured = env["XDG_DATA_HOME"] ?? "";
  return join(isAbsolute(configured) ? configured : join(homeDirectory, ".local/share"), "unroll");
}

/** The lock of a work tree, which its user holds. `home`: its folder, which exists. */
export function makeWorktreeLock(home: string): string {
  const path = join(home, "lock");
  makeLockFile(path);
  return path;
}

/** In a submodule another repository would say what runs; a worktree with one is not removed. */
export const statusArgs: readonly string[] = ["status", "--porcelain", "--ignore-submodules=dirty"];

/** Git keeps a note beside a work tree until all files are in it. `git`: runs in the tree. */
export async function isUnfinished(git: (args: readonly string[]) => Promise<GitResult>): Promise<boolean> {
  const path = (await git(["rev-parse", "--path-format=absolute", "--git-path", "locked"])).stdout.trim();
  if (path === "") return false;
  const note = await readFile(path, "utf8").catch(() => "");
  return note.trim() === "initializing";
}

/** Beside a work tree while its patch is made. */
export const newFilesName = "new-files";

/** Removes the lock and the patch of a work tree that is gone, with their folder. */
export async function removeHome(home: string): Promise<void> {
  for (const file of ["changes.patch", newFilesName, "lock"]) await rm(join(home, file), { force: true });
  await rmdir(home).catch(() => {}); // something else is in there
}
