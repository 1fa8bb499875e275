import { statfsSync } from "node:fs";
import { platform } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { findWorkTree, isFile, isInside, listWorkTrees, statIfAny, resolveIfAny } from "@unroll/files";
import { findOwnUser, type OwnUser } from "./find-own-user.ts";
import { isExecutableFile, isSystems, systemFolders } from "./find-system-program.ts";
import { parseProgramFile, type ProgramFile } from "./parse-program-file.ts";

/** Where programs are searched, and which folders projects can fill. */
export interface ProgramPlaces {
  /** `PATH` and `TMPDIR` are read from it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder; absolute. It and its repository belong to a project. */
  readonly cwd: string;
  /** Further folders that commands can write or that belong to projects; absolute. Absent: none. */
  readonly projects?: readonly string[];
}

/** The result of a search for a program. */
export type ProgramSearch =
  | { readonly type: "found"; readonly file: ProgramFile }
  /**
   * `passedOver`: a program that a project may have put there; null: there is none at all.
   * `message` names it, in a sentence for the user.
   */
  | { readonly type: "missing"; readonly passedOver: string | null; readonly message: string };

/**
 * Finds programs that the user installed: git, an editor, a browser, MCP servers. None is taken
 * from a place where a project can have put it.
 */
export interface Programs {
  /** The environment for programs: `env`, with only those folders on `PATH` that no project can fill. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Finds a program. A name with a slash is a path below `folder`, and always found: its author
   * chose it. `folder` absent: the working folder.
   */
  readonly find: (name: string, folder?: string) => ProgramSearch;
}

/**
 * Searches the folders of `PATH` in order, without those that a project can fill. These are
 * relative folders; `cwd` and its repository with all its work trees; `projects`, `/tmp` and
 * `$TMPDIR`; any `node_modules`; and folders that their group or everyone can write. Links are
 * followed. The system's own folders stay, because commands of an ordinary user cannot replace
 * anything in them. For root, owners and modes prove nothing, so only the place counts.
 */
export function openPrograms({ env, cwd, projects = [] }: ProgramPlaces): Programs {
  const variable = Object.keys(env).find((name) => isSearchPath(name)) ?? "PATH";
  const path = env[variable] ?? systemFolders.join(delimiter);
  const user = findOwnUser();
  const root = findWorkTree(cwd);
  const places = [cwd, ...(root === null ? [] : listWorkTrees(root))].filter((place) => place !== dirname(place));
  const fillable = [...places, ...projects, ...everybodys, env["TMPDIR"] ?? ""]
    .filter(isAbsolute)
    .flatMap((place) => [resolve(place), resolveIfAny(place) ?? place]);

  function isOutOfReach(file: string): boolean {
    const real = resolveIfAny(file);
    if (real === null) return false;
    if (user.uid !== 0 && isInSystem(file) && isSystems(file)) return true;
    if ([resolve(file), real].some((each) => fillable.some((place) => isInside(each, place)))) return false;
    return user.uid <= 0 || isOnlyOurs(real, user);
  }

  function isClean(folder: string): boolean {
    return isAbsolute(folder) && !isModules(folder) && !isModules(resolveIfAny(folder) ?? "") && isOutOfReach(folder);
  }

  const folders = path.split(delimiter);
  const clean = folders.filter(isClean);
  const own = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );

  return {
    environment: {
      ...Object.fromEntries(own),
      // An empty search path would mean the working folder.
      ...(env[variable] !== undefined && { [variable]: (clean.length > 0 ? clean : systemFolders).join(delimiter) }),
    },
    find(name, folder = cwd) {
      if (name.includes("/") || name.includes(sep)) return found(resolve(folder, name));
      const files = listFiles(name, clean).filter(isOutOfReach);
      const file = files.find(isExecutableFile) ?? files.find(isFile);
      if (file !== undefined) return found(file);
      const passedOver = listFiles(name, folders.filter(isAbsolute)).find(isExecutableFile) ?? null;
      const message =
        passedOver === null
          ? `There is no program ${name} on PATH.`
          : `${passedOver} is not started: a project can put programs there.`;
      return { type: "missing", passedOver, message };
    },
  };
}

/** Paths below /proc lead each process to another place. */
const everybodys = ["/tmp", "/proc"];

function isInSystem(path: string): boolean {
  return systemFolders.some((folder) => isInside(resolve(path), folder));
}

function isSearchPath(name: string): boolean {
  return platform() === "win32" ? name.toUpperCase() === "PATH" : name === "PATH";
}

function isModules(folder: string): boolean {
  return folder.split(sep).includes("node_modules");
}

function listFiles(name: string, folders: readonly string[]): readonly string[] {
  const endings = platform() === "win32" ? [".exe", ".com", ""] : [""];
  return folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending)));
}

function found(path: string): ProgramSearch {
  return { type: "found", file: parseProgramFile(path) };
}

/** The administrators' group on macOS, which owns Homebrew's folders. */
const administrators = 80;

/** Whether no other user can write it, replace it, or replace a folder on the way. */
function isOnlyOurs(path: string, own: OwnUser): boolean {
  if (isOpen(path, own)) return hasNoModes(path);
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    // With the sticky bit, others can add to the folder but replace nothing of ours.
    if (isOpen(folder, own) && ((statIfAny(folder)?.mode ?? 0) & 0o1000) === 0) return false;
  }
  return true;
}

/** Windows drives under WSL: 9p, and drvfs in WSL 1. Every file there claims to be writable by everyone. */
const modeless: ReadonlySet<number> = new Set([0x0102_1997, 0x5346_4846]);

function hasNoModes(path: string): boolean {
  try {
    return modeless.has(statfsSync(path).type);
  } catch {
    return false;
  }
}

/** Whether another user can write it. Many systems give each user a group with the same number. */
function isOpen(path: string, own: OwnUser): boolean {
  const { mode = 0o777, gid = -1 } = statIfAny(path) ?? {};
  const isOurs =
    gid === 0 || (gid === own.gid && gid === own.uid) || (platform() === "darwin" && gid === administrators);
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !isOurs);
}
