import { readdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { FileLockError, tryToLock } from "@unroll/files";
import { describeThrown } from "@unroll/text";
import type { ProgramPlaces } from "../program/open-programs.ts";
import { findNamedPrograms, gitConfigArguments } from "./find-named-programs.ts";
import { type GitResult, queryGit, runGit } from "./run-git.ts";
import { findDataFolder, isUnfinished, makeWorktreeLock, removeHome, statusArgs } from "./worktree-places.ts";

/** A work tree that an earlier run or sub-agent left, or that one uses now. */
export interface LeftWorktree {
  /** The end of its thread's or run's id. */
  readonly name: string;
  /** Null: it was never made. */
  readonly tree: string | null;
  /** `unused`: nothing was changed in it, or it was never finished. `unknown`: `reason` says why. */
  readonly state: "in use" | "unused" | "changed" | "unknown";
  /** In a sentence; null: the state says all. */
  readonly reason: string | null;
}

/** The result of an attempt to remove one. */
export interface WorktreeRemoval extends LeftWorktree {
  readonly isRemoved: boolean;
}

type Places = ProgramPlaces & { readonly homeDirectory: string };

/** All work trees in the user's data folder. */
export async function listWorktrees(places: Places): Promise<readonly LeftWorktree[]> {
  const left: LeftWorktree[] = [];
  for (const name of await listFolders(findWorktrees(places))) {
    const found = await hold(name, places, (worktree) => judge(worktree, places));
    left.push(found);
  }
  return left;
}

/** Removes one with its branch, unless it is in use. `isForced`: also with changes. */
export async function removeWorktree(name: string, isForced: boolean, places: Places): Promise<WorktreeRemoval> {
  return hold(name, places, async (worktree) => {
    const found = await judge(worktree, places);
    const mayGo = found.state === "unused" || (isForced && found.state !== "in use");
    if (!mayGo) return { ...found, isRemoved: false };
    const reason = await remove(worktree, places);
    return { ...found, reason: reason ?? found.reason, isRemoved: reason === null };
  }).then((result) => ({ isRemoved: false, ...result }));
}

interface HeldWorktree {
  readonly name: string;
  /** The folder of the work tree, its lock and its patch. */
  readonly home: string;
  readonly tree: string | null;
}

/** A process that uses a work tree holds its lock, which nothing outlives. */
async function hold<Result extends LeftWorktree>(
  name: string,
  places: Places,
  act: (worktree: HeldWorktree) => Promise<Result>,
): Promise<Result | LeftWorktree> {
  const home = join(findWorktrees(places), name);
  const [top = null] = (await listFolders(home)).filter((folder) => !folder.startsWith("lock.")); // of a lock that is tried
  const tree = top === null ? null : join(home, top);
  try {
    using lock = await tryToLock(makeWorktreeLock(home));
    if (lock === null) return { name, tree, state: "in use", reason: null };
    return await act({ name, home, tree });
  } catch (error) {
    const reason =
      error instanceof FileLockError
        ? `It may be in use: ${error.message}.`
        : `It cannot be looked at: ${describeThrown(error)}.`;
    return { name, tree, state: "unknown", reason };
  }
}

async function judge({ name, tree }: HeldWorktree, places: Places): Promise<LeftWorktree> {
  const is = (state: LeftWorktree["state"], reason: string | null = null): LeftWorktree => ({
    name,
    tree,
    state,
    reason,
  });
  if (tree === null) return is("unused", "It was never made.");
  const git = (args: readonly string[]): Promise<GitResult> => queryGit(args, { ...places, cwd: tree });
  const top = await git(["rev-parse", "--show-toplevel"]);
  if (top.code !== 0 || top.stdout.trim() !== (await realpath(tree))) {
    if ((await readdir(tree)).length === 0) return is("unused", "It was never made.");
    return is("unknown", `git does not find its repository${top.stderr === "" ? "" : ` (${top.stderr.trim()})`}.`);
  }
  if (await isUnfinished(git)) return is("unused", "It was never finished.");
  const named = findNamedPrograms((await git(gitConfigArguments)).stdout);
  if (named?.length !== 0) return is("unknown", "Its repository's git settings run programs.");
  const status = await git(statusArgs);
  if (status.code !== 0) return is("unknown", `git status failed: ${status.stderr.trim()}`);
  if (status.stdout !== "") return is("changed", "Not all of it is committed.");
  const branch = `unroll/${name}`;
  const own = (await git(["rev-parse", "--verify", "-q", `refs/heads/${branch}`])).code === 0 ? [branch] : [];
  const others = ["--not", `--exclude=${branch}`, "--branches", "--remotes", "--tags"];
  const commits = await git(["rev-list", "--max-count=1", "HEAD", ...own, ...others]);
  if (commits.code !== 0) return is("unknown", `git rev-list failed: ${commits.stderr.trim()}`);
  return commits.stdout === "" ? is("unused") : is("changed", "It has commits that no other branch has.");
}

/** Returns why it is still there; null: it is gone. */
async function remove({ name, home, tree }: HeldWorktree, places: Places): Promise<string | null> {
  if (tree !== null) {
    const listed = await queryGit(["worktree", "list", "--porcelain", "-z"], { ...places, cwd: tree });
    const main = /^worktree ([^\0]+)/.exec(listed.stdout)?.[1] ?? null;
    if (listed.code === 0 && main !== null && main !== tree) {
      const at = { ...places, cwd: main };
      const gone = await runGit(["worktree", "remove", "--force", "--force", tree], at);
      if (gone.code !== 0) return `git worktree remove failed: ${gone.stderr.trim()}`;
      await runGit(["branch", "-D", `unroll/${name}`], at);
    } else await rm(tree, { recursive: true, force: true });
  }
  await removeHome(home);
  return null;
}

function findWorktrees(places: Places): string {
  return join(findDataFolder(places), "worktrees");
}

async function listFolders(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
}
