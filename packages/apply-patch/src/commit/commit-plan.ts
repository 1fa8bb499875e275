import { clip } from "../diagnose/show-line.ts";
import { createFailure, type PatchFailure, type PatchProblem } from "../patch-failure.ts";
import { locateEntry } from "../plan/locate-file.ts";
import { PatchFilesError } from "../plan/patch-files-error.ts";
import type { PatchFiles } from "../plan/patch-files.ts";
import type { FileChange, PatchPlan, PlannedWrite } from "../plan/patch-plan.ts";
import { describeChanges } from "./describe-changes.ts";

/** A patch that is in the files now. */
export interface PatchApplied {
  readonly type: "patch.applied";
  readonly changes: readonly FileChange[];
  /** For the model: `Success. Updated the following files:` and a line `A`, `M` or `D` and the path for each. */
  readonly message: string;
}

/** How far one write has come. */
interface Step {
  readonly write: PlannedWrite;
  /** The new bytes next to their target, until they are renamed to it. */
  staged: string | null;
  /** The second name of the file that is replaced or removed. */
  backup: string | null;
  isDone: boolean;
}
interface Commit {
  readonly files: PatchFiles;
  readonly steps: readonly Step[];
  readonly madeFolders: string[];
}

/**
 * Writes a plan: all of it or nothing. First every file is looked at again (one that changed since the plan was made
 * fails it), then all new bytes are staged next to their targets, then each is renamed into place. On any error, and
 * when `signal` fires before the first rename (which rejects with its reason), what was done is taken back.
 *
 * A crash of the process or machine leaves every file whole, old or new. Between two renames it leaves some files of
 * the patch new and others old, and it may leave staged files and backups. There is no journal: all that is slow or
 * likely to fail comes before the first rename, and what is left to a crash is the time of the renames alone.
 */
export async function commitPlan(
  plan: PatchPlan,
  files: PatchFiles,
  signal: AbortSignal,
): Promise<PatchApplied | PatchFailure> {
  const steps = inSafeOrder(plan.writes).map((write): Step => ({ write, staged: null, backup: null, isDone: false }));
  const commit: Commit = { files, steps, madeFolders: [] };
  try {
    const problem = await runSteps(commit, plan.newFolders, signal);
    if (problem !== null) return createFailure([problem, ...(await takeBack(commit))]);
  } catch (error) {
    await takeBack(commit);
    throw error;
  }
  for (const { backup } of steps) if (backup !== null) await tryRun(files.remove(backup));
  return { type: "patch.applied", changes: plan.changes, message: describeChanges(plan.changes) };
}

/** What is removed goes last: until a moved file is in its new place, it is in the old one. */
function inSafeOrder(writes: readonly PlannedWrite[]): readonly PlannedWrite[] {
  return [...writes.filter((write) => write.bytes !== null), ...writes.filter((write) => write.bytes === null)];
}

async function runSteps(
  { files, steps, madeFolders }: Commit,
  newFolders: readonly string[],
  signal: AbortSignal,
): Promise<PatchProblem | null> {
  let path = "";
  try {
    for (const { write } of steps) {
      path = write.path;
      if (await hasChanged(files, write)) return changed(path);
    }
    for (path of newFolders) {
      await files.makeDirectory(path);
      madeFolders.push(path);
    }
    for (const step of steps) {
      signal.throwIfAborted();
      path = step.write.path;
      await prepare(files, step);
    }
    signal.throwIfAborted();
    for (const step of steps) {
      path = step.write.path;
      await replace(files, step);
    }
    return null;
  } catch (error) {
    if (!(error instanceof PatchFilesError)) throw error;
    return { type: "write.failed", path, message: `${clip(path)} could not be written: ${error.message}.` };
  }
}

/** Whether the file, or a symbolic link on the way to it, is another one than the plan was made on. */
async function hasChanged(files: PatchFiles, { realPath, version }: PlannedWrite): Promise<boolean> {
  const now = await locateEntry(files, realPath);
  return now.type === "no.location" || now.realPath !== realPath || (now.stat?.version ?? null) !== version;
}

function changed(path: string): PatchProblem {
  return { type: "file.changed", path, message: `${clip(path)} has changed since the patch was checked against it.` };
}

async function prepare(files: PatchFiles, step: Step): Promise<void> {
  const { realPath, bytes, like, version } = step.write;
  if (bytes !== null) step.staged = await files.writeStaged(realPath, bytes, like);
  if (version !== null) step.backup = await files.backUp(realPath);
}

async function replace(files: PatchFiles, step: Step): Promise<void> {
  if (step.staged === null) await files.remove(step.write.realPath);
  else await files.rename(step.staged, step.write.realPath);
  step.staged = null;
  step.isDone = true;
}

/** Puts everything back, last step first. A backup that could not be put back stays where it is. */
async function takeBack({ files, steps, madeFolders }: Commit): Promise<readonly PatchProblem[]> {
  const problems: PatchProblem[] = [];
  for (const { write, staged, backup, isDone } of steps.toReversed()) {
    if (isDone) {
      const error = await tryRun(backup === null ? files.remove(write.realPath) : files.rename(backup, write.realPath));
      if (error !== null) problems.push(notPutBack(write.path, backup, error));
    } else if (backup !== null) await tryRun(files.remove(backup));
    if (staged !== null) await tryRun(files.remove(staged));
  }
  for (const folder of madeFolders.toReversed()) await tryRun(files.removeDirectory(folder));
  return problems;
}

function notPutBack(path: string, backup: string | null, error: PatchFilesError): PatchProblem {
  const rest = backup === null ? "It is the patch's new file." : `What it held before is in ${backup}.`;
  return { type: "rollback.failed", path, message: `${clip(path)} could not be put back: ${error.message}. ${rest}` };
}

/** The error that the port had, or null. */
async function tryRun(work: Promise<void>): Promise<PatchFilesError | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof PatchFilesError) return error;
    throw error;
  }
}
