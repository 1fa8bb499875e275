import { existsSync } from "node:fs";
import { mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { FileLockError, waitForLock } from "@unroll/files";
import { countNouns, describeSystemError, quoteArgv } from "@unroll/text";
import type { ProgramPlaces } from "../program/open-programs.ts";
import { explainNoRepository } from "./explain-no-repository.ts";
import { findNamedPrograms, gitConfigArguments } from "./find-named-programs.ts";
import { type GitPlace, type GitResult, runGit } from "./run-git.ts";
import {
  findDataFolder,
  isUnfinished,
  makeWorktreeLock,
  newFilesName,
  removeHome,
  statusArgs,
} from "./worktree-places.ts";

/** A work tree of its own for one run, on a branch of its own. */
export interface RunWorktree {
  readonly type: "open";
  /** Where the run works: the folder in it that the run was started in. */
  readonly folder: string;
  /** The folder of the whole work tree, and its branch. */
  readonly tree: string;
  readonly branch: string;
  /** The top of the work tree that it was made from. */
  readonly top: string;
  /** A sentence about changes that are not in it; null: nothing is left out. */
  readonly leftOut: string | null;
  /** Saves all changes since it was made beside it, committed or not, with new and binary files, for `git apply`. */
  savePatch(): Promise<WorktreePatch | WorktreeFault>;
  /** Removes it if nothing was changed, and lets it go. Returns a message for the user. */
  close(): Promise<{ readonly isRemoved: boolean; readonly message: string }>;
  /** Another process may use it now, or remove it if nothing was changed. */
  release(): void;
}

/** The changes in a work tree, in a file. */
interface WorktreePatch {
  readonly type: "saved";
  readonly path: string;
  /** Relative to the top of the work tree. */
  readonly files: readonly string[];
  /** New repositories in it, whose files are not in the patch. */
  readonly nested: readonly string[];
}

/** Why there is no work tree, or no patch. */
export interface WorktreeFault {
  readonly type: "failed";
  /** `input`: this folder has none; `output`: the machine did not make it. */
  readonly kind: "input" | "output";
  /** In a sentence. */
  readonly message: string;
}

/**
 * Makes the work tree in the user's data folder (XDG Base Directory), for in `CODEX_HOME` commands may not write, at the commit of the
 * repository around the working folder. `name`: of the work tree and its branch; one of that name that is there is used again. Fails
 * where there is no repository, no commit yet, its own settings make git run programs, or git refuses.
 */
export async function openWorktree(
  places: ProgramPlaces & { readonly homeDirectory: string },
  name: string,
): Promise<RunWorktree | WorktreeFault> {
  const start = places.cwd;
  const git: Git = (args, cwd = start) => runGit(args, { ...places, cwd });
  const found = await findRepository(start, git);
  if (found.type === "failed") return found;
  const { top, commit: head } = found;
  const fault = findProgramFault(findNamedPrograms((await git(gitConfigArguments)).stdout));
  if (fault !== null) return fault;
  const tree = join(findDataFolder(places), "worktrees", name, basename(top));
  const branch = `unroll/${name}`;
  const parentFault = await makeParent(tree);
  if (parentFault !== null) return parentFault;
  const lock = await holdWorktree(dirname(tree));
  if ("type" in lock) return lock;
  const made = await makeTree({ tree, branch, head }, git);
  if (made !== null) {
    lock[Symbol.dispose]();
    return made;
  }
  const commit = (await git(["merge-base", head, branch])).stdout.trim();
  const folder = join(tree, relative(top, await realpath(start)));
  await mkdir(folder, { recursive: true }); // one that no commit has
  const left = splitLines((await git(statusArgs)).stdout).length;
  const patch = join(dirname(tree), "changes.patch");
  return {
    type: "open",
    folder,
    tree,
    branch,
    top,
    leftOut:
      left === 0 ? null : `The worktree leaves out the uncommitted changes in ${top} (${countNouns(left, "file")}).`,
    async savePatch() {
      const named = findProgramFault(findNamedPrograms((await git(gitConfigArguments, tree)).stdout));
      if (named !== null) return named;
      const { nested, fault } = await showNewFiles(tree, { ...places, cwd: tree });
      if (fault !== null) return fault;
      const listed = await git([...patchArgs, "--name-only", "-z", commit], tree);
      const saved = await git([...patchArgs, "--binary", "--full-index", `--output=${patch}`, commit], tree);
      if (saved.code !== 0) return toFault(saved, "git diff");
      return { type: "saved", path: patch, files: splitPaths(listed.stdout), nested };
    },
    release: () => lock[Symbol.dispose](),
    async close() {
      const now = (await git(["rev-parse", "HEAD"], tree)).stdout.trim();
      const { code, stdout } = await git(statusArgs, tree);
      const isCommitted = code === 0 && stdout === "";
      if (isCommitted && now === commit && (await git(["worktree", "remove", tree])).code === 0) {
        await git(["branch", "-D", branch]);
        lock[Symbol.dispose]();
        await removeHome(dirname(tree));
        return { isRemoved: true, message: `Nothing changed: removed the worktree and its branch ${branch}.` };
      }
      lock[Symbol.dispose]();
      return { isRemoved: false, message: explainKept({ top, tree, branch, isCommitted }) };
    },
  };
}

/** A list of work trees holds a lock for a moment. */
const lockPauseMs = 50;
const mostPauses = 100;
const noLock: Disposable = { [Symbol.dispose]: () => {} };

/** A process that uses a work tree holds its lock, so that no other one removes it. A file system without locks has none. */
async function holdWorktree(home: string): Promise<Disposable | WorktreeFault> {
  let pauses = 0;
  const pause = async (): Promise<boolean> => {
    await setTimeout(lockPauseMs);
    return (pauses += 1) < mostPauses;
  };
  try {
    const lock = await waitForLock(makeWorktreeLock(home), pause);
    return lock ?? { type: "failed", kind: "output", message: `${home} is in use by another process.` };
  } catch (error) {
    if (error instanceof FileLockError && error.code === "no_locks") return noLock;
    return { type: "failed", kind: "output", message: `${home} cannot be locked: ${describeSystemError(error)}.` };
  }
}

/** Makes the tree unless it is there. One that a killed process did not finish is made again. Returns why it cannot. */
async function makeTree(
  { tree, branch, head }: Readonly<Record<"tree" | "branch" | "head", string>>,
  git: Git,
): Promise<WorktreeFault | null> {
  const isThere = existsSync(join(tree, ".git"));
  if (isThere && !(await isUnfinished((args) => git(args, tree)))) return null;
  if (isThere) await git(["worktree", "remove", ...twice, tree]);
  const hasBranch = (await git(["rev-parse", "--verify", "-q", `refs/heads/${branch}`])).code === 0;
  const from = hasBranch ? [tree, branch] : ["-b", branch, tree, head];
  const made = await git(["worktree", "add", ...twice, ...from]);
  return made.code === 0 ? null : toFault(made, "git worktree add");
}

/** Git locks a tree that it has not finished: once is not enough for that. */
const twice = ["--force", "--force"];

/** The name of a run's or a task's work tree. `id`: a UUID of version 7. */
export function toWorktreeName(id: string): string {
  return id.replaceAll("-", "").slice(-12);
}

const patchArgs = [
  "diff",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-renames",
  "--ignore-submodules=dirty",
  "--src-prefix=a/",
  "--dst-prefix=b/",
];

type Git = (args: readonly string[], at?: string) => Promise<GitResult>;

type FoundRepository = { readonly type: "found"; readonly top: string; readonly commit: string } | WorktreeFault;

async function findRepository(start: string, git: Git): Promise<FoundRepository> {
  const fail = (message: string): WorktreeFault => ({ type: "failed", kind: "input", message });
  const top = await git(["rev-parse", "--show-toplevel"]);
  if (top.code === null) return fail(`cannot run git: ${top.stderr || "it does not start."}`);
  if (top.code !== 0) return fail(explainNoRepository(top, start));
  const head = await git(["rev-parse", "--verify", "-q", "HEAD^{commit}"]);
  if (head.code === 0) return { type: "found", top: top.stdout.replace(/\n$/, ""), commit: head.stdout.trim() };
  return fail("the repository has no commit yet: make one first.");
}

/** Null: git runs no program here that a person or an administrator has not named. */
function findProgramFault(named: readonly string[] | null): WorktreeFault | null {
  if (named?.length === 0) return null;
  const why =
    named === null
      ? "this git is older than 2.26 and cannot list the programs that it would run"
      : `the repository's git settings run programs (${named.join(", ")})`;
  const message = `${why}. If you trust them, make the worktree yourself (git worktree add) and use it as the working folder.`;
  return { type: "failed", kind: "input", message };
}

async function makeParent(tree: string): Promise<WorktreeFault | null> {
  try {
    await mkdir(dirname(tree), { recursive: true, mode: 0o700 });
    return null;
  } catch (error) {
    const message = `${dirname(tree)} cannot be made: ${describeSystemError(error)}.`;
    return { type: "failed", kind: "output", message };
  }
}

function toFault({ stderr }: GitResult, command: string): WorktreeFault {
  const words = stderr.trim().split("\n").at(-1) ?? "";
  return { type: "failed", kind: "output", message: `${command} failed: ${words}` };
}

/**
 * Tells git of new files by name, so that a diff has them. `git add --all` would look into the repositories in the tree, whose settings
 * name programs: a sub-agent can write them.
 */
async function showNewFiles(
  tree: string,
  place: GitPlace,
): Promise<{ readonly nested: readonly string[]; readonly fault: WorktreeFault | null }> {
  const look = ["ls-files", "-z", "--others", "--exclude-standard"];
  const looked = await runGit(look, { ...place, encoding: "latin1" });
  if (looked.code !== 0) return { nested: [], fault: toFault(looked, "git ls-files") };
  const others = splitPaths(looked.stdout);
  const isNested = (path: string): boolean => path.endsWith("/");
  const nested = others.filter(isNested).map((path) => Buffer.from(path.slice(0, -1), "latin1").toString());
  const files = others.filter((path) => !isNested(path));
  if (files.length === 0) return { nested, fault: null };
  const list = join(dirname(tree), newFilesName);
  try {
    await writeFile(list, files.join("\0"), "latin1");
  } catch (error) {
    const message = `${list} cannot be written: ${describeSystemError(error)}.`;
    return { nested, fault: { type: "failed", kind: "output", message } };
  }
  const add = ["add", "--intent-to-add", "--ignore-errors", `--pathspec-from-file=${list}`, "--pathspec-file-nul"];
  const added = await runGit(["--literal-pathspecs", "-c", "core.sparseCheckout=false", ...add], place);
  await rm(list, { force: true });
  return { nested, fault: added.code === 0 ? null : toFault(added, "git add") };
}

function splitPaths(text: string): readonly string[] {
  return text.split("\0").filter((path) => path !== "");
}

function splitLines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

interface KeptTree {
  readonly top: string;
  readonly tree: string;
  readonly branch: string;
  readonly isCommitted: boolean;
}

function explainKept({ top, tree, branch, isCommitted }: KeptTree): string {
  const git = (...args: readonly string[]): string => quoteArgv(["git", "-C", top, ...args]);
  const keep = isCommitted
    ? `to use it: ${git("merge", branch)}`
    : "not all of it is committed: check it and commit it there";
  const drop = `${git("worktree", "remove", "--force", tree)} && ${git("branch", "-D", branch)}`;
  return `The work is in ${tree} on branch ${branch}; ${keep}. To discard it: ${drop}`;
}
