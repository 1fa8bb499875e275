import { join } from "node:path";
import {
  findWorkTree,
  isGitFolder,
  isInside,
  kindOf,
  type PathMemory,
  readCommonFolder,
  readGitEntry,
} from "@unroll/files";
import { listEntries } from "../files/list-entries.ts";
import { listNames } from "../files/path-facts.ts";
import type { PathRule } from "../policy/path-rule.ts";
import { findGitFolders, ownsWorkTree, readWorkTree } from "./git-folder.ts";
import { findNamedPlaces } from "./find-named-places.ts";

/** Keeps commands from changing what a later git, outside the sandbox, runs or obeys. */
export interface GitProtection {
  readonly rules: readonly PathRule[];
  /**
   * Files that git would obey if they existed. A mount cannot block them where git does not
   * tolerate an empty file.
   */
  readonly mustStayAbsent: readonly string[];
  /** The folders that hold the repositories, including those of linked worktrees. */
  readonly gitFolders: readonly string[];
}

export interface GitSurroundings {
  readonly writableRoots: readonly string[];
  /** The target of `~` in git's configuration; null: unknown. */
  readonly home: string | null;
  /** Remembers the configurations of the user and the machine. */
  readonly paths: Pick<PathMemory, "look">;
}

export const noProtection: GitProtection = { rules: [], mustStayAbsent: [], gitFolders: [] };

/** Files that decide what git runs or which other files it obeys. */
const obeyedNames = [
  "config",
  "config.worktree",
  "hooks",
  "commondir",
  "gitdir",
  "objects/info/alternates",
  "objects/info/http-alternates",
  "remotes",
  "branches",
] as const;

/**
 * The rules for the repositories around these folders. Everything stays writable except what makes
 * other programs run.
 */
export function protectRepositories(folders: readonly string[], surroundings: GitSurroundings): GitProtection {
  return mergeProtections(
    [...new Set(folders.map(findTop))].map((workTree) => protectRepository(workTree, surroundings)),
  );
}

/**
 * The top of the repository around `folder`; `folder` itself if there is none, or if it has a
 * `.git` of any kind.
 */
function findTop(folder: string): string {
  return readGitEntry(folder).type === "none" ? (findWorkTree(folder) ?? folder) : folder;
}

function protectRepository(workTree: string, surroundings: GitSurroundings): GitProtection {
  const entry = readGitEntry(workTree);
  if (entry.type === "folder") return protectGitFolder(entry.gitFolder, surroundings);
  if (entry.type !== "pointer") return noProtection;

  const pointer: PathRule = { type: "read-only", path: join(workTree, ".git") };
  const { gitFolder } = entry;
  if (gitFolder === null || !isOurs(gitFolder, workTree, surroundings)) {
    return { ...noProtection, rules: [pointer] };
  }
  const folders = new Set([readCommonFolder(gitFolder), gitFolder]);
  return mergeProtections([
    { ...noProtection, rules: [pointer] },
    ...[...folders].map((folder) => protectGitFolder(folder, surroundings)),
  ]);
}

/**
 * The rules for files that a configuration names outside the repositories' own folders. They hold
 * with or without a repository.
 */
export function protectNamedPlaces(folders: readonly string[], surroundings: GitSurroundings): GitProtection {
  const gitFolders = [...new Set(folders.map(findTop))].flatMap(listGitFolders);
  const places = [null, ...gitFolders].flatMap((gitFolder) => findNamedPlaces(gitFolder, surroundings));
  const writable = [...new Set(places)].filter((path) => isWritable(path, surroundings.writableRoots));
  return {
    // A link can be replaced even if its target is protected.
    rules: writable
      .filter((path) => !/^(?:missing|symlink)$/.test(kindOf(path)))
      .map((path): PathRule => ({ type: "read-only", path })),
    mustStayAbsent: writable.filter((path) => kindOf(path) === "missing"),
    gitFolders: [],
  };
}

function listGitFolders(workTree: string): readonly string[] {
  const entry = readGitEntry(workTree);
  if (entry.type === "none" || entry.gitFolder === null) return [];
  return [...new Set([readCommonFolder(entry.gitFolder), entry.gitFolder])];
}

/** The strict form: nothing in the repository at `workTree` may be written. */
export function freezeRepository(workTree: string, { writableRoots }: GitSurroundings): readonly PathRule[] {
  const entry = readGitEntry(workTree);
  if (entry.type === "none") return [];
  const folders =
    entry.type === "pointer" && entry.gitFolder !== null ? [entry.gitFolder, readCommonFolder(entry.gitFolder)] : [];
  return [join(workTree, ".git"), ...folders.filter((folder) => isWritable(folder, writableRoots))].map((path) => ({
    type: "read-only",
    path,
  }));
}

function isOurs(gitFolder: string, workTree: string, { writableRoots }: GitSurroundings): boolean {
  return isGitFolder(gitFolder) && (isWritable(gitFolder, writableRoots) || ownsWorkTree(gitFolder, workTree));
}

function isWritable(path: string, writableRoots: readonly string[]): boolean {
  return writableRoots.some((root) => isInside(path, root));
}

function protectGitFolder(gitFolder: string, surroundings: GitSurroundings): GitProtection {
  listEntries(gitFolder); // answers for the names below
  const obeyed = [
    ...obeyedNames.map((name) => join(gitFolder, name)),
    join(gitFolder, kindOf(join(gitFolder, "info")) === "folder" ? "info" : "info/attributes"),
    ...findNamedPlaces(gitFolder, surroundings).filter((path) => isWritable(path, surroundings.writableRoots)),
  ];
  // A symlink can be replaced even if its target is protected.
  if (obeyed.some((path) => kindOf(path) === "symlink")) {
    return { ...noProtection, rules: [{ type: "read-only", path: gitFolder }], gitFolders: [gitFolder] };
  }
  const own: GitProtection = {
    rules: [
      { type: "writable", path: gitFolder },
      ...obeyed.filter((path) => kindOf(path) !== "missing").map((path): PathRule => ({ type: "read-only", path })),
    ],
    mustStayAbsent: obeyed.filter((path) => kindOf(path) === "missing"),
    gitFolders: [gitFolder],
  };
  return mergeProtections([own, protectModules(gitFolder, surroundings), protectWorktrees(gitFolder, surroundings)]);
}

/** Rules for the git folders of submodules, which may lie several folders deep. */
function protectModules(gitFolder: string, surroundings: GitSurroundings): GitProtection {
  const modules = join(gitFolder, "modules");
  if (kindOf(modules) === "missing") return { ...noProtection, mustStayAbsent: [modules] };
  return mergeProtections([
    { ...noProtection, rules: [{ type: "read-only", path: modules }] },
    ...findGitFolders(modules).map((folder) => protectGitFolder(folder, surroundings)),
  ]);
}

/** A linked worktree's git folder is writable only if its files are, too. */
function protectWorktrees(gitFolder: string, surroundings: GitSurroundings): GitProtection {
  const worktrees = join(gitFolder, "worktrees");
  if (kindOf(worktrees) === "missing") return noProtection;
  const own = listNames(worktrees)
    .map((name) => join(worktrees, name))
    .filter((folder) => isWritable(readWorkTree(folder) ?? "/", surroundings.writableRoots));
  return mergeProtections([
    { ...noProtection, rules: [{ type: "read-only", path: worktrees }] },
    ...own.map((folder) => protectGitFolder(folder, surroundings)),
  ]);
}

/** The union of all protections. */
export function mergeProtections(protections: readonly GitProtection[]): GitProtection {
  return {
    rules: protections.flatMap(({ rules }) => rules),
    mustStayAbsent: [...new Set(protections.flatMap(({ mustStayAbsent }) => mustStayAbsent))],
    gitFolders: protections.flatMap(({ gitFolders }) => gitFolders),
  };
}
