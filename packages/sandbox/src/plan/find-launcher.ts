import { isInside, resolveIfAny } from "@unroll/files";
import { findSystemProgram, isSystems, type ProgramFile, findOwnUser } from "@unroll/process-tree";

/**
 * A program of the system that no command can replace if commands may write `folders`; null: there
 * is none.
 */
export function findLauncher(name: string, folders: readonly string[]): ProgramFile | null {
  const file = findSystemProgram(name);
  return file !== null && isOutOfReach(file, folders) ? file : null;
}

/** Commands have the rights of the user who runs them, and that user cannot write the system's files. */
export function isOutOfReach(file: string, folders: readonly string[]): boolean {
  const real = resolveIfAny(file);
  if (real === null) return false;
  return !folders.some((folder) => isInside(real, folder)) || (findOwnUser().uid !== 0 && isSystems(file));
}
