import { existsSync } from "node:fs";
import { mkdir, realpath, rmdir } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import {
  explainNoRepository,
  findNamedPrograms,
  type GitResult,
  type ProcessIo,
  ProgramError,
  readWorkTreeDiff,
  runGit,
  toProgramPlaces,
  gitConfigArguments,
  type WorkTreeDiff,
} from "@unroll/program";
import type { ResolvedConfig } from "@unroll/harness";
import { countNouns, describeSystemError, quoteArgv } from "@unroll/text";

/** A work tree of its own for one run, on a branch of its own. */
export interface RunWorktree {
  /** Where the run works: the folder in it that the run was started in. */
  readonly folder: string;
  /** The folder of the whole work tree, and its branch. */
  readonly tree: string;
  readonly branch: string;
  /** For stderr, before the run. */
  readonly notices: readonly string[];
  /** All changes since it was made, committed or not, as a unified diff. */
  readDiff(): Promise<WorkTreeDiff>;
  /** Removes it if nothing was changed. Returns a message for the user. */
  close(): Promise<{ readonly isRemoved: boolean; readonly message: string }>;
}

/**
 * Makes the work tree in the user's data folder (XDG Base Directory), for in `CODEX_HOME` commands may not write, at the commit of the
 * repository around the working folder. `name`: of the work tree and its branch; one of that name that is there is used again. Throws
 * `ProgramError` where there is no repository, no commit yet, its own settings make git run programs, or git refuses.
 */
export async function openWorktree(
  config: ResolvedConfig,
  io: Pick<ProcessIo, "env" | "homeDirectory">,
  name: string,
): Promise<RunWorktree> {
  const start = config.cwd;
  const places = toProgramPlaces(config, io);
  const git = (args: readonly string[], cwd = start): Promise<GitResult> => runGit(args, { ...places, cwd });
  const { top, commit: head } = await findRepository(start, git);
  refuseNamed(findNamedPrograms((await git(gitConfigArguments)).stdout));
  const tree = join(findDataFolder(io), "worktrees", name, basename(top));
  const branch = `unroll/${name}`;
  await makeParent(tree);
  const isThere = existsSync(join(tree, ".git"));
  if (!isThere) {
    const hasBranch = (await git(["rev-parse", "--verify", "-q", `refs/heads/${branch}`])).code === 0;
    const from = hasBranch ? [tree, branch] : ["-b", branch, tree, head];
    check(await git(["worktree", "add", ...from]), "git worktree add");
  }
  const commit = (await git(["merge-base", head, branch])).stdout.trim();
  const folder = join(tree, relative(top, await realpath(start)));
  await mkdir(folder, { recursive: true }); // one that no commit has
  const left = (await git(statusArgs)).stdout.split("\n").filter(Boolean).length;
  const leftOut =
    left === 0 ? [] : [`The worktree leaves out the uncommitted changes in ${top} (${countNouns(left, "file")}).`];
  return {
    folder,
    tree,
    branch,
    notices: [`worktree: ${tree} on branch ${branch}`, ...leftOut],
    readDiff: () => readWorkTreeDiff({ ...places, cwd: tree }, commit),
    async close() {
      const now = (await git(["rev-parse", "HEAD"], tree)).stdout.trim();
      const { code, stdout } = await git(statusArgs, tree);
      const isUntouched = code === 0 && stdout === "" && now === commit;
      if (isUntouched && (await git(["worktree", "remove", tree])).code === 0) {
        await git(["branch", "-D", branch]);
        await rmdir(dirname(tree)).catch(() => {}); // something else is in there
        return { isRemoved: true, message: `Nothing changed: removed the worktree and its branch ${branch}.` };
      }
      return {
        isRemoved: false,
        message: explainKept({ top, tree, branch, isCommitted: code === 0 && stdout === "" }),
      };
    },
  };
}

/** The name of a run's or a task's work tree. `id`: a UUID of version 7. */
export function toWorktreeName(id: string): string {
  return id.replaceAll("-", "").slice(-12);
}

/** In a submodule another repository would say what runs; a worktree with one is not removed. */
const statusArgs = ["status", "--porcelain", "--ignore-submodules=dirty"];

/** The folder for the data of unroll (XDG Base Directory). */
export function findDataFolder({ env, homeDirectory }: Pick<ProcessIo, "env" | "homeDirectory">): string {
  const configured = env["XDG_DATA_HOME"] ?? "";
  return join(isAbsolute(configured) ? configured : join(homeDirectory, ".local/share"), "unroll");
}

type Git = (args: readonly string[], at?: string) => Promise<GitResult>;

async function findRepository(start: string, git: Git): Promise<{ readonly top: string; readonly commit: string }> {
  const top = await git(["rev-parse", "--show-toplevel"]);
  if (top.code === null)
    throw new ProgramError("input", `--worktree: cannot run git: ${top.stderr || "it does not start."}`);
  if (top.code !== 0) throw new ProgramError("input", `--worktree: ${explainNoRepository(top, start)}`);
  const head = await git(["rev-parse", "--verify", "-q", "HEAD^{commit}"]);
  if (head.code === 0) return { top: top.stdout.replace(/\n$/, ""), commit: head.stdout.trim() };
  throw new ProgramError("input", "--worktree: the repository has no commit yet: make one first.");
}

function refuseNamed(named: readonly string[] | null): void {
  if (named?.length === 0) return;
  const why =
    named === null
      ? "this git is older than 2.26 and cannot list the programs that it would run"
      : `the repository's git settings run programs (${named.join(", ")})`;
  throw new ProgramError(
    "input",
    `--worktree: ${why}. If you trust them, make the worktree yourself (git worktree add) and use -C.`,
  );
}

async function makeParent(tree: string): Promise<void> {
  try {
    await mkdir(dirname(tree), { recursive: true, mode: 0o700 });
  } catch (error) {
    const message = `--worktree: ${dirname(tree)} cannot be made: ${describeSystemError(error)}.`;
    throw new ProgramError("output", message, { cause: error });
  }
}

function check({ code, stderr }: GitResult, command: string): void {
  if (code === 0) return;
  const words = stderr.trim().split("\n").at(-1) ?? "";
  throw new ProgramError("output", `--worktree: ${command} failed: ${words}`);
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
