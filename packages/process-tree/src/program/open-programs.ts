import { statfsSync } from "node:fs";
import { platform } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { findWorkTree, isFile, isInside, listWorkTrees, statIfAny, resolveIfAny } from "@unroll/files";
import { findOwnUser, type OwnUser } from "./find-own-user.ts";
import { isExecutableFile, isSystems, systemFolders } from "./find-system-program.ts";
import { parseProgramFile, type ProgramFile } from "./parse-program-file.ts";

/** Where programs are looked for, and which folders projects can fill. */
export interface ProgramPlaces {
  /** `PATH` and `TMPDIR` are read from it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder; absolute. It, its repository, and what lies in them is a project's. */
  readonly cwd: string;
  /** What else commands can write or a project owns: writable folders and known projects; absolute. Absent: none is known. */
  readonly projects?: readonly string[];
}

/** What a search for a program came to. */
export type ProgramSearch =
  | { readonly type: "found"; readonly file: ProgramFile }
  /** `passedOver`: one that a project can have put where it is; null: there is none at all. `message` says which, in a sentence. */
  | { readonly type: "missing"; readonly passedOver: string | null; readonly message: string };

/** The programs that the user brings: git, an editor, a browser, MCP servers. No project can have put them where they are found. */
export interface Programs {
  /** For what is started: `env`, and on `PATH` only folders that no project can fill. */
  readonly environment: Readonly<Record<string, string>>;
  /** A name with a slash stands for itself, from `folder` on: whoever wrote it chose it. `folder` absent: the working folder. */
  readonly find: (name: string, folder?: string) => ProgramSearch;
}

/**
 * Takes the folders of `PATH` in their order, but those that a project can fill: relative ones, those in `cwd`, in its repository with all its work trees,
 * in `projects`, `/tmp` or `$TMPDIR`, in any `node_modules`, and those that their group or everybody can write. Links are followed. The system's own
 * folders stay: of an ordinary user's commands none can replace what is in them. Where root asks, owners and modes prove nothing: the place decides.
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
      // A search path without a folder would stand for the working folder.
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

/** What leads below /proc leads each process somewhere else. */
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

/** The group of administrators on macOS, to whom Homebrew gives its folders. */
const administrators = 80;

/** Whether no other user can write it, replace it, or replace a folder on the way. */
function isOnlyOurs(path: string, own: OwnUser): boolean {
  if (isOpen(path, own)) return hasNoModes(path);
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    // With the sticky bit others can add to the folder, and replace nothing of ours.
    if (isOpen(folder, own) && ((statIfAny(folder)?.mode ?? 0) & 0o1000) === 0) return false;
  }
  return true;
}

/** Windows's drives under WSL: 9p, and drvfs of its first version. Each file there says that everybody may write it. */
const modeless: ReadonlySet<number> = new Set([0x0102_1997, 0x5346_4846]);

function hasNoModes(path: string): boolean {
  try {
    return modeless.has(statfsSync(path).type);
  } catch {
    return false;
  }
}

/** Whether another user can write it. Many systems give each user a group of the same number. */
function isOpen(path: string, own: OwnUser): boolean {
  const { mode = 0o777, gid = -1 } = statIfAny(path) ?? {};
  const isOurs =
    gid === 0 || (gid === own.gid && gid === own.uid) || (platform() === "darwin" && gid === administrators);
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !isOurs);
}
