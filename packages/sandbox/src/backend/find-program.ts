import { accessSync, constants } from "node:fs";
import { userInfo } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { kindOf, lookAt, resolveIfAny } from "../files/path-facts.ts";
import { isInside } from "../rules/path-rule.ts";

/**
 * The first program of that name on a search path, resolved; but none that commands could replace, or that is found
 * relative to wherever the harness happens to be.
 */
export function findProgram(name: string, searchPath: string, writableRoots: readonly string[]): string | undefined {
  return searchPath
    .split(":")
    .filter(isAbsolute)
    .flatMap((folder) => resolveIfAny(join(folder, name)) ?? [])
    .find((file) => isOutOfReach(file, writableRoots) && isExecutable(file));
}

/** Commands have no more rights than the user who runs them, and that user none over the system's files. */
function isOutOfReach(file: string, writableRoots: readonly string[]): boolean {
  return !writableRoots.some((root) => isInside(file, root)) || (userInfo().uid !== 0 && isSystemOwned(file));
}

/** `path` and every folder on the way to it. */
function isSystemOwned(path: string): boolean {
  const isOwn = lookAt(path)?.uid !== 0 || isAllowed(path, constants.W_OK);
  return !isOwn && (path === dirname(path) || isSystemOwned(dirname(path)));
}

/** Whether a command of that name could be executed in `cwd`, as far as the file itself tells. */
export function hasProgram(name: string, cwd: string, searchPath: string): boolean {
  const folders = name.includes("/") ? [""] : searchPath.split(":");
  return folders
    .flatMap((folder) => resolveIfAny(resolve(cwd, folder, name)) ?? [])
    .some((file) => kindOf(file) === "file" && isExecutable(file));
}

function isExecutable(file: string): boolean {
  return isAllowed(file, constants.X_OK);
}

function isAllowed(path: string, access: number): boolean {
  try {
    accessSync(path, access);
    return true;
  } catch {
    return false;
  }
}
