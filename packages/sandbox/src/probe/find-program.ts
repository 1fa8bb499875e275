import { constants } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isInside, kindOf, statIfAny, resolveIfAny } from "@unroll/files";
import { mayAccess } from "../files/path-facts.ts";
import { ownUserId } from "../files/own-user-id.ts";

/** Where launchers are on any system, should PATH not say so. */
export const systemFolders = "/usr/bin:/bin:/usr/local/bin";

/**
 * The first program of that name on a search path, resolved; null when there is none. None is taken that lies in a folder
 * that is not trusted, for commands could replace it, or that is found relative to wherever the harness happens to be.
 */
export function findProgram(name: string, searchPath: string, untrusted: readonly string[]): string | null {
  const files = searchPath
    .split(":")
    .filter(isAbsolute)
    .flatMap((folder) => resolveIfAny(join(folder, name)) ?? []);
  return files.find((file) => isOutOfReach(file, untrusted) && isExecutable(file)) ?? null;
}

/** Commands have no more rights than the user who runs them, and that user none over the system's files. */
function isOutOfReach(file: string, untrusted: readonly string[]): boolean {
  return !untrusted.some((folder) => isInside(file, folder)) || (ownUserId() !== 0 && isSystemOwned(file));
}

/** `path` and every folder on the way to it. */
function isSystemOwned(path: string): boolean {
  const isOwn = statIfAny(path)?.uid !== 0 || mayAccess(path, constants.W_OK);
  return !isOwn && (path === dirname(path) || isSystemOwned(dirname(path)));
}

/** What a command of that name would come to in `cwd`, as far as the file itself tells. */
export function lookUpProgram(
  name: string,
  cwd: string,
  searchPath: string,
): "missing" | "not_executable" | "executable" {
  const folders = name.includes("/") ? [""] : searchPath.split(":");
  const found = folders.flatMap((folder) => resolveIfAny(resolve(cwd, folder, name)) ?? []);
  if (found.some((file) => kindOf(file) === "file" && isExecutable(file))) return "executable";
  return found.length > 0 ? "not_executable" : "missing";
}

function isExecutable(file: string): boolean {
  return mayAccess(file, constants.X_OK);
}
