import { createHash } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { basename, join, resolve, sep } from "node:path";
import type { BatchTask, TaskChanges } from "@unroll/batch";
import { type GitResult, runGit } from "@unroll/process-tree";
import { ProgramError, type toProgramPlaces } from "@unroll/program";

/** A repository that was cloned for one run of a task. */
export interface TaskClone {
  /** The folder to work in. */
  readonly folder: string;
  /** Whether changes of the task's earlier turns were never pushed: they are lost. */
  readonly isLost: boolean;
  /** Commits all files and pushes them. Throws `ProgramError` if that is refused: the folder stays then. */
  close(turnId: string | null): Promise<TaskChanges>;
}

/** The task of the clone. */
interface CloneNeeds {
  readonly task: BatchTask & { readonly git: NonNullable<BatchTask["git"]> };
  readonly threadId: string;
  /** The task's last turn in this thread; null: there was none. */
  readonly turnId: string | null;
  /** The folder of all clones. */
  readonly home: string;
  readonly places: ReturnType<typeof toProgramPlaces>;
}

type Git = (args: readonly string[]) => Promise<string>;

/** Clones that a killed worker left are removed after this time, in ms. */
const oldMs = 7 * 24 * 3_600_000;
const mostDiffCharacters = 1024 * 1024;
const author = ["-c", "user.name=unroll", "-c", "user.email=unroll@localhost"];

/**
 * Clones a task's repository at its `ref`, or at what an earlier worker pushed for this thread. The repository that fetches and pushes
 * is outside of the folder, where commands may not write: no setting that they make counts for it. Throws `ProgramError`.
 */
export async function openClone({ task, threadId, turnId, home, places }: CloneNeeds): Promise<TaskClone> {
  const { url, ref } = task.git;
  const base = join(home, createHash("sha256").update(threadId).digest("hex").slice(0, 16));
  await removeOld(home);
  await rm(base, { recursive: true, force: true });
  await mkdir(base, { recursive: true, mode: 0o700 });
  const control = join(base, "control.git");
  const tree = join(base, basename(url).replace(/\.git$/, "") || "work");
  const run = createGit({ ...places, cwd: base }, { what: `${task.id}: git with ${url} failed`, where: tree });
  const git: Git = (args) => run([`--git-dir=${control}`, ...args]);
  const saved = toRef(task.id);
  await run(["init", "-q", "--bare", "--", control]);
  const seen = (await git(["ls-remote", "--", url, saved])).split("\t")[0] ?? "";
  const last = seen === "" ? null : await readSaved(git, { url, seen, saved });
  const isContinued = last?.threadId === threadId;
  if (!isContinued) await git(["fetch", "-q", "--no-tags", "--", url, ref ?? "HEAD"]);
  const start = isContinued ? seen : await git(["rev-parse", "FETCH_HEAD^{commit}"]);
  const from = isContinued ? last.base : start;
  await git(["update-ref", "refs/heads/unroll", start]);
  await git(["symbolic-ref", "HEAD", "refs/heads/unroll"]);
  await run(["clone", "-q", "--no-hardlinks", "--", control, tree]);
  await run(["-C", tree, "remote", "set-url", "origin", url]);
  const folder = resolve(tree, task.cwd ?? ".");
  if (folder !== tree && !folder.startsWith(tree + sep))
    throw new ProgramError("input", `${task.id}: cwd: ${task.cwd} is outside of the repository.`);
  return {
    folder,
    isLost: turnId !== null && (!isContinued || last.turnId !== turnId),
    async close(endedTurn) {
      await git(["read-tree", start]);
      const inTree: Git = (args) => git([`--work-tree=${tree}`, ...args]);
      await inTree(["add", "--all", "--", "."]);
      const written = await git(["write-tree"]);
      const message = `unroll: ${task.id}\n\nUnroll-Thread: ${threadId}\nUnroll-Turn: ${endedTurn ?? "none"}\nUnroll-Base: ${from}\n`;
      const commit = await git([...author, "commit-tree", written, "-p", start, "-m", message]);
      await git(["push", "-q", `--force-with-lease=${saved}:${seen}`, "--", url, `${commit}:${saved}`]);
      const diff = await git([
        "-c",
        "core.quotepath=false",
        "diff",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        from,
        commit,
      ]);
      await rm(base, { recursive: true, force: true });
      return {
        worktree: null,
        branch: saved,
        diff: diff === "" || diff.length > mostDiffCharacters ? null : `${diff}\n`,
      };
    },
  };
}

/** Runs git and returns its output. `what` begins the message of an error, and `where` ends it. */
function createGit(
  places: CloneNeeds["places"],
  { what, where }: { readonly what: string; readonly where: string },
): Git {
  return async (args) => {
    const { code, stdout, stderr }: GitResult = await runGit(["-c", "credential.interactive=false", ...args], places);
    if (code === 0) return stdout.trimEnd();
    const lines = stderr.trim().split("\n");
    const words = lines.find((line) => /^(?:fatal|error|!)/.test(line)) ?? lines.at(-1) ?? "";
    const hint = args.includes("push") ? ` The work is in ${where}.` : "";
    throw new ProgramError("output", `${what}: ${words || "git does not start."}${hint}`);
  };
}

interface SavedWork {
  readonly threadId: string;
  readonly turnId: string;
  /** The commit that the task began with. */
  readonly base: string;
}

/** The work that a worker pushed for the task. Null: it is something else. */
async function readSaved(
  git: Git,
  { url, seen, saved }: { readonly url: string; readonly seen: string; readonly saved: string },
): Promise<SavedWork | null> {
  await git(["fetch", "-q", "--no-tags", "--", url, saved]);
  const message = await git(["show", "-s", "--format=%B", seen]);
  const read = (name: string): string => new RegExp(`^Unroll-${name}: (\\S+)$`, "m").exec(message)?.[1] ?? "";
  const work = { threadId: read("Thread"), turnId: read("Turn"), base: read("Base") };
  return work.base === "" ? null : work;
}

/** Where a task's work is pushed: no branch, so that it starts no CI and is in nobody's list. */
function toRef(taskId: string): string {
  const isPlain = /^[\w-]+(?:\.[\w-]+)*$/.test(taskId) && !taskId.endsWith(".lock");
  return `refs/unroll/${isPlain ? taskId : `b64-${Buffer.from(taskId, "utf8").toString("base64url")}`}`;
}

async function removeOld(home: string): Promise<void> {
  const names = await readdir(home).catch(() => []);
  for (const name of names) {
    const path = join(home, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs < Date.now() - oldMs) await rm(path, { recursive: true, force: true });
  }
}
