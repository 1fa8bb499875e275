import { checkShape, showHidden } from "@unroll/text";
import { clip } from "../diagnose/show-line.ts";
import { createFailure, type PatchFailure, type PatchProblem } from "../patch-failure.ts";
import { HeldFolders } from "../plan/held-folders.ts";
import { lastName } from "../plan/locate-file.ts";
import { PatchFilesError } from "../plan/patch-files-error.ts";
import type { PatchFiles, PatchFolder } from "../plan/patch-files.ts";
import type { PlannedChange, PatchPlan, PlannedWrite } from "../plan/patch-plan.ts";
import { carryOut, type CommitStep, prepareStep, undoStep } from "./commit-step.ts";
import { describeChanges } from "./describe-changes.ts";

/** A patch that is in the files now. */
export interface PatchApplied {
  readonly type: "patch.applied";
  readonly changes: readonly PlannedChange[];
  /** For the model: `Success. Updated the following files:` and a line `A`, `M` or `D` and the path for each. */
  readonly message: string;
}

/** A folder that the patch has made. */
interface MadeFolder {
  readonly parent: PatchFolder;
  readonly name: string;
}
interface Commit {
  readonly plan: PatchPlan;
  readonly files: PatchFiles;
  readonly folders: HeldFolders;
  readonly madeFolders: MadeFolder[];
  readonly steps: CommitStep[];
}

/**
 * Writes a plan: all of it or nothing. It opens every folder (a different one fails the plan) and
 * then acts only in those, whatever happens to their paths. It checks every file again (a change
 * since planning fails it), stages all new bytes beside their targets, and renames each into place.
 * After an error, or if `signal` fires before the first rename (then it rejects with the signal's
 * reason), everything is undone.
 *
 * Changes of other programs at the same time are noticed and kept: a file that appears where one is
 * added, one that replaces a removed one, and text written into a replaced one. A file renamed onto
 * another just as that is replaced is lost.
 *
 * A crash of the process or machine leaves every file whole, old or new. Between two renames it
 * leaves some files of the patch new and others old, and it may leave staged files and backups.
 * There is no journal: everything slow or likely to fail comes before the first rename, so only the
 * time of the renames is at risk.
 */
export async function commitPlan(
  plan: PatchPlan,
  files: PatchFiles,
  signal: AbortSignal,
): Promise<PatchApplied | PatchFailure> {
  checkShape(
    "commitPlan",
    { plan, files, signal },
    { "plan.folders": "a list", "files.openFolder": "a function", signal: "an object" },
  );
  await using folders = new HeldFolders(files);
  const commit: Commit = { plan, files, folders, madeFolders: [], steps: [] };
  try {
    const problem = await runCommit(commit, signal);
    if (problem !== null) return createFailure([problem, ...(await takeBack(commit))]);
  } catch (error) {
    await takeBack(commit);
    throw error;
  }
  for (const { folder, backup } of commit.steps) if (backup !== null) await tryRun(folder.remove(backup));
  return { type: "patch.applied", changes: plan.changes, message: describeChanges(plan.changes) };
}

/** Where a commit is, for the message when it fails. */
interface Progress {
  path: string;
}

async function runCommit(commit: Commit, signal: AbortSignal): Promise<PatchProblem | null> {
  const progress: Progress = { path: "" };
  try {
    return (
      (await holdFolders(commit, progress)) ??
      (await checkFiles(commit, progress)) ??
      (await makeFolders(commit, progress)) ??
      (await runSteps(commit, progress, signal))
    );
  } catch (error) {
    if (!(error instanceof PatchFilesError)) throw error;
    const { path } = progress;
    return { type: "write.failed", path, message: `${clip(path)} could not be written: ${error.message}.` };
  }
}

async function holdFolders({ plan, folders }: Commit, progress: Progress): Promise<PatchProblem | null> {
  for (const { realPath, identity } of plan.folders) {
    if (identity === null) continue;
    progress.path = nameFolder(plan, realPath);
    const folder = await folders.open(realPath);
    if (folder?.realPath !== realPath || folder.identity !== identity) return folderChanged(progress.path);
  }
  return null;
}

async function checkFiles({ plan, folders }: Commit, progress: Progress): Promise<PatchProblem | null> {
  for (const { path, folder, name, before } of plan.writes) {
    progress.path = path;
    const now = await folders.find(folder)?.stat(name);
    if ((now?.version ?? null) !== (before?.version ?? null)) return fileChanged(path);
  }
  return null;
}

async function makeFolders(commit: Commit, progress: Progress): Promise<PatchProblem | null> {
  const { plan, files, folders, madeFolders } = commit;
  for (const { realPath, identity } of plan.folders) {
    if (identity !== null) continue;
    progress.path = realPath;
    const parentPath = files.resolve(realPath, "..");
    const parent = folders.find(parentPath);
    if (parent === null) return folderChanged(nameFolder(plan, realPath));
    const name = lastName(realPath, parentPath);
    const made = await parent.makeFolder(name);
    madeFolders.push({ parent, name });
    folders.hold(made);
    if (made.realPath !== realPath) return folderChanged(nameFolder(plan, realPath));
  }
  return null;
}

async function runSteps(
  { plan, folders, steps }: Commit,
  progress: Progress,
  signal: AbortSignal,
): Promise<PatchProblem | null> {
  for (const write of inSafeOrder(plan.writes)) {
    signal.throwIfAborted();
    progress.path = write.path;
    const folder = folders.find(write.folder);
    if (folder === null) return folderChanged(write.path);
    const step: CommitStep = { write, folder, staged: null, backup: null, isDone: false };
    steps.push(step);
    await prepareStep(step);
  }
  for (const folder of folders.list()) {
    progress.path = nameFolder(plan, folder.realPath);
    if (!(await folder.isInPlace())) return folderChanged(progress.path);
  }
  signal.throwIfAborted();
  for (const step of steps) {
    progress.path = step.write.path;
    if (!(await carryOut(step))) return fileChanged(progress.path);
  }
  return null;
}

/** Removals go last: until a moved file is in its new place, it is in the old one. */
function inSafeOrder(writes: readonly PlannedWrite[]): readonly PlannedWrite[] {
  return [...writes.filter((write) => write.bytes !== null), ...writes.filter((write) => write.bytes === null)];
}

/** A path of the patch that leads through the folder. */
function nameFolder({ writes }: PatchPlan, folder: string): string {
  const write = writes.find((each) => each.folder === folder) ?? writes.find((each) => each.folder.startsWith(folder));
  return write?.path ?? folder;
}

function fileChanged(path: string): PatchProblem {
  return { type: "file.changed", path, message: `${clip(path)} has changed since the patch was checked against it.` };
}

function folderChanged(path: string): PatchProblem {
  const message = `The folder of ${clip(path)} has been moved or replaced since the patch was checked against it.`;
  return { type: "file.changed", path, message };
}

/** Puts everything back, last step first. A backup that could not be put back stays where it is. */
async function takeBack({ files, steps, madeFolders }: Commit): Promise<readonly PatchProblem[]> {
  const problems: PatchProblem[] = [];
  for (const step of steps.toReversed()) {
    const { write, folder, staged, backup, isDone } = step;
    if (isDone) {
      const error = await tryRun(undoStep(step));
      if (error !== null) problems.push(notPutBack(write, backup && files.resolve(folder.realPath, backup), error));
    } else if (backup !== null) await tryRun(folder.remove(backup));
    if (staged !== null) await tryRun(folder.remove(staged));
  }
  for (const { parent, name } of madeFolders.toReversed()) await tryRun(parent.removeFolder(name));
  return problems;
}

function notPutBack({ path }: PlannedWrite, backup: string | null, error: PatchFilesError): PatchProblem {
  const rest = backup === null ? "It is the patch's new file." : `What it held before is in ${showHidden(backup)}.`;
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
