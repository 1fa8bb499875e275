import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { quoteWord, systemErrorCode } from "@unroll/text";
import type { ProcessIo } from "./process-io.ts";

/** The variables that say where we keep files. */
const placeVariables = ["HOME", "CODEX_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"];

/**
 * The fault of a folder that the environment names, in a sentence; null: none is known yet. In `/proc`, as
 * some containers and services have it for a home, no folder can be made, and Node.js (24 and 26) tries for ever.
 * A CODEX_HOME that is not there is most likely misspelt: in its place, a run would answer by other settings.
 */
export function findHomeFault({ env, cwd, platform }: Pick<ProcessIo, "env" | "cwd" | "platform">): string | null {
  const unreadable = placeVariables.find((name) => env[name]?.includes("\uFFFD"));
  if (unreadable !== undefined)
    return `${unreadable} is ${env[unreadable]}, which is not valid UTF-8: use a folder whose path is.`;
  const bad = platform === "linux" ? placeVariables.find((name) => isInProc(env[name] ?? "")) : undefined;
  if (bad !== undefined) return `${bad} is ${env[bad]}, which cannot hold files: set it to a folder of yours.`;
  const home = env["CODEX_HOME"] ? "CODEX_HOME" : "HOME";
  const file = findFile(env[home] ?? "");
  if (file !== null)
    return `${home} is ${env[home]}, but ${file} is not a folder: set ${home} to a folder of yours, or remove the file.`;
  const closed = findClosedFolder(env[home] ?? "");
  if (closed === null) return home === "CODEX_HOME" ? findMissing(env[home] ?? "", cwd) : null;
  return `${home} is ${env[home]}, but you have no access to ${closed}: allow it (chmod u+x), or set ${home} to a folder of yours.`;
}

/** The first on the way to `path`, or itself, that is there and no folder. */
function findFile(path: string): string | null {
  if (!isAbsolute(path)) return null;
  try {
    return statSync(path).isDirectory() ? null : path;
  } catch (error) {
    return systemErrorCode(error) === "ENOTDIR" ? findFile(dirname(path)) : null;
  }
}

/** The first on the way to `path`, or itself, that this user may not enter. */
function findClosedFolder(path: string): string | null {
  if (!isAbsolute(path) || !isClosed(path)) return null;
  return (path === dirname(path) ? null : findClosedFolder(dirname(path))) ?? path;
}

function isClosed(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return false;
  } catch (error) {
    return systemErrorCode(error) === "EACCES";
  }
}

function findMissing(codexHome: string, cwd: string): string | null {
  const path = resolve(cwd, codexHome);
  if (existsSync(path)) return null;
  return `CODEX_HOME is ${codexHome}, which does not exist: correct it, or create the folder (mkdir -p ${quoteWord(path)}).`;
}

function isInProc(path: string): boolean {
  return isAbsolute(path) && /^\/+proc(?:\/|$)/.test(path);
}
