import { accessSync, constants, readlinkSync, type Stats } from "node:fs";
import { platform } from "node:os";
import { dirname, join, parse, resolve, sep } from "node:path";
import { isFile, statIfAny, readTextIfAny, resolveIfAny } from "@unroll/files";
import { once } from "@unroll/flow";
import { parseProgramFile, type ProgramFile } from "./parse-program-file.ts";

/** The folders of systems' own programs. The last one is NixOS's. */
export const systemFolders: readonly string[] =
  platform() === "win32"
    ? [String.raw`C:\Windows\System32`]
    : ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin", "/run/current-system/sw/bin"];

/**
 * Finds a program of the system itself, never on PATH. Everything that builds or watches a sandbox
 * comes from here. Only root can have put it there: it, every folder and every link on the way
 * belong to root, and nobody else can write them. (Windows has no such owner; there, only the
 * folder counts.) Null: there is none.
 */
export function findSystemProgram(name: string): ProgramFile | null {
  const file = systemFolders
    .map((folder) => join(folder, name))
    .find((each) => isExecutableFile(each) && isSystems(each));
  return file === undefined ? null : parseProgramFile(file);
}

/**
 * The system's shell, which starts and ends processes for us. Null: there is none that only root
 * can have put there.
 */
export const findShell: () => ProgramFile | null = once(() => findSystemProgram("sh"));

/** The system's shell. Throws an `Error` if there is none that only root can have put there. */
export function requireShell(): ProgramFile {
  const shell = findShell();
  if (shell === null) throw new Error(`no shell that belongs to root alone is in ${systemFolders.join(", ")}`);
  return shell;
}

/** Whether there is a file, with every link followed, that this user may execute. */
export function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}

/** Whether only root can change what is at the path: other users can neither replace nor rewrite it. */
export function isSystems(path: string): boolean {
  if (platform() === "win32") return true;
  const place = followAsRoot(path, mostLinks);
  return place !== null && place === resolveIfAny(path);
}

/** The kernel's own limit. */
const mostLinks = 40;

/** The path's target, as long as every step belongs to root. Null: one does not, or there is nothing. */
function followAsRoot(path: string, links: number): string | null {
  const { root } = parse(path);
  let place = root;
  const names = path.slice(root.length).split(sep).filter(Boolean);
  for (const [index, name] of ["", ...names].entries()) {
    place = join(place, name);
    const stats = statIfAny(place);
    if (stats === null || !isRoots(stats)) return null;
    if (!stats.isSymbolicLink()) continue;
    if (links === 0) return null;
    const target = resolve(dirname(place), readlinkSync(place), ...names.slice(index));
    return followAsRoot(target, links - 1);
  }
  return place;
}

/**
 * In a folder with the sticky bit, others cannot replace what belongs to root. A link has no mode
 * of its own.
 */
function isRoots(stats: Stats): boolean {
  const { uid, gid, mode } = stats;
  const isOpen = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== 0);
  const isSticky = stats.isDirectory() && (mode & 0o1000) !== 0;
  return (uid === 0 || (uid === nobody && !hasRoot())) && (stats.isSymbolicLink() || !isOpen || isSticky);
}

/** The owner that the kernel shows if the real one has no number in this namespace: user_namespaces(7). */
const nobody = 65_534;

/** Whether root has a number here. In a sandbox or container of a single user it has none. */
const hasRoot: () => boolean = once(() => {
  const map = readTextIfAny("/proc/self/uid_map");
  return map === null || /^\s*0\s/m.test(map);
});
