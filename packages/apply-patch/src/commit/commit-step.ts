import type { PatchFolder } from "../plan/patch-files.ts";
import type { PlannedWrite } from "../plan/patch-plan.ts";

/** One write of a plan, and how far it has come. Names are in `folder`. */
export interface CommitStep {
  readonly write: PlannedWrite;
  readonly folder: PatchFolder;
  /** The new bytes, until they are renamed to their target. */
  staged: string | null;
  /** The second name of a file that is replaced; of one that is removed, the name that it is renamed to. */
  backup: string | null;
  isDone: boolean;
}

/** All of a step that is slow or likely to fail; nothing that others go by is changed. */
export async function prepareStep(step: CommitStep): Promise<void> {
  const { folder, write } = step;
  const { bytes, before, name, permissions } = write;
  if (bytes !== null) step.staged = await folder.writeStaged(bytes, permissions);
  if (before === null) return;
  step.backup = bytes === null ? await folder.reserveName() : await folder.backUp(name, before);
}

/**
 * Moves the new file to its place, or removes the old one. False if the plan was made for another
 * file: that one is not replaced. If a program wrote to it at this very moment, `isDone` is set and
 * it must be restored.
 */
export async function carryOut(step: CommitStep): Promise<boolean> {
  const { folder, staged, backup } = step;
  const { name, before } = step.write;
  if (staged === null) return takeAway(step);
  if (before === null || backup === null) {
    await folder.renameToNew(staged, name);
    step.staged = null;
    step.isDone = true;
    return true;
  }
  const kept = await folder.stat(backup);
  const now = await folder.stat(name);
  if (now?.content !== before.content) return false;
  await folder.rename(staged, name);
  step.staged = null;
  step.isDone = true;
  return (await folder.stat(backup))?.content === kept?.content;
}

/** Renames a removed file first and inspects it then, so that nothing else is ever lost. */
async function takeAway(step: CommitStep): Promise<boolean> {
  const { folder, backup, write } = step;
  if (backup === null) return true;
  await folder.rename(write.name, backup);
  step.isDone = true;
  return (await folder.stat(backup))?.content === write.before?.content;
}

/**
 * Restores the state before the step. A file that another program has put at the place of a removed
 * one stays.
 */
export async function undoStep({ folder, write, backup }: CommitStep): Promise<void> {
  if (backup === null) await folder.remove(write.name);
  else if (write.bytes === null) await folder.renameToNew(backup, write.name);
  else await folder.rename(backup, write.name);
}
