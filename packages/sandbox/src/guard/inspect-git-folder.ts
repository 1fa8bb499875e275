import { dirname, join, resolve } from "node:path";
import {
  followGitPath,
  isInside,
  kindOf,
  statIfAny,
  parseGitConfig,
  readCommonFolder,
  readLinkIfAny,
  readTextIfAny,
  resolveIfAny,
  type GitConfigEntry,
  untilNul,
} from "@unroll/files";
import { listEntries, listExisting } from "../files/list-entries.ts";
import { listNames } from "../files/path-facts.ts";
import { isDangerous } from "../git/config-danger.ts";
import { findGitFolders } from "../git/git-folder.ts";
import { formatGitConfig } from "../git/format-config.ts";

/** Something in a repository that would make a later git, outside, run a program or obey another file. */
export interface Danger {
  /** Includes the content: a changed danger in the same place is a new danger. */
  readonly id: string;
  readonly path: string;
  /** The effect on git, as the end of a sentence. */
  readonly effect: string;
  /** The content to leave in its place, given the dangers to remove. Absent: nothing is left. */
  readonly repair?: (goes: (id: string) => boolean) => string;
}

/** `workRoots`: the folders that commands work in. */
export function inspectGitFolder(gitFolder: string, workRoots: readonly string[]): readonly Danger[] {
  listEntries(gitFolder); // answers for the names below
  return [
    ...inspectCommonFolder(gitFolder),
    ...["config", "config.worktree"].flatMap((name) => inspectConfig(join(gitFolder, name), workRoots)),
    ...inspectHooks(join(gitFolder, "hooks")),
    ...inspectAlternates(gitFolder, workRoots),
    ...inspectRebase(gitFolder),
    ...inspectStrategies(gitFolder),
    ...inspectLinks(gitFolder, gitFolder),
    ...findInner(gitFolder).flatMap((inner) => inspectGitFolder(inner, workRoots)),
  ];
}

/** Too large, not a file, or not in git's format. */
export function beyondJudgement(path: string): Danger {
  const stats = statIfAny(path);
  return { id: `${path}: ${stats?.ino} ${stats?.ctimeMs}`, path, effect: "obey what cannot be judged" };
}

/** Only a linked worktree shares another folder: the repository it belongs to. */
function inspectCommonFolder(gitFolder: string): readonly Danger[] {
  const path = join(gitFolder, "commondir");
  if (kindOf(path) === "missing" || readCommonFolder(gitFolder) === dirname(dirname(gitFolder))) return [];
  return [
    { id: `${path}: ${readTextIfAny(path)}`, path, effect: "take its configuration and hooks from another folder" },
  ];
}

function inspectConfig(path: string, workRoots: readonly string[]): readonly Danger[] {
  if (kindOf(path) === "missing") return [];
  const text = readTextIfAny(path);
  const entries = text === null ? null : parseGitConfig(text);
  if (entries === null || kindOf(path) === "symlink") return [beyondJudgement(path)];
  const isOwnWorkTree = ({ key, value }: GitConfigEntry): boolean =>
    key === "core.worktree" &&
    workRoots.some((root) => isInside(followGitPath(dirname(path), value ?? "") ?? "/", root));
  const idOf = ({ key, value }: GitConfigEntry): string => `${path}: ${key}=${value}`;
  const dangerous = entries.filter((entry) => isDangerous(entry) && !isOwnWorkTree(entry));
  const repair = (goes: (id: string) => boolean): string =>
    formatGitConfig(entries.filter((entry) => !dangerous.includes(entry) || !goes(idOf(entry))));
  return dangerous.map((entry) => ({ id: idOf(entry), path, effect: `obey ${entry.key}`, repair }));
}

function inspectHooks(folder: string): readonly Danger[] {
  const target = readLinkIfAny(folder);
  if (target !== null) {
    return [{ id: `${folder} -> ${target}`, path: folder, effect: "run the hooks of another folder" }];
  }
  const names = listNames(folder).filter((name) => !/\.(sample|quarantined(\.\d+)?)$/.test(name));
  return names.flatMap((name) => {
    const path = join(folder, name);
    const stats = statIfAny(path);
    // Git skips a hook that is not executable.
    if (stats === null || (stats.mode & 0o111) === 0) return [];
    return [{ id: `${path}: ${stats.ino} ${stats.ctimeMs}`, path, effect: `run the hook ${name}` }];
  });
}

function inspectAlternates(gitFolder: string, workRoots: readonly string[]): readonly Danger[] {
  const objects = join(gitFolder, "objects");
  const path = join(objects, "info", "alternates");
  if (kindOf(path) === "missing") return [];
  const text = readTextIfAny(path);
  if (text === null) return [beyondJudgement(path)];
  if (!leadsOut(objects, workRoots, 0)) return [];
  return [{ id: `${path}: ${text}`, path, effect: "take objects from outside the workspace" }];
}

/** How many alternates git follows from one repository's objects to the next. */
const deepestAlternate = 6;

/**
 * Whether these objects, or those that they refer to, lead outside the roots. Anything that cannot
 * be judged counts as outside.
 */
function leadsOut(objects: string, workRoots: readonly string[], depth: number): boolean {
  const path = join(objects, "info", "alternates");
  if (kindOf(path) === "missing") return false;
  const text = readTextIfAny(path);
  if (text === null || depth > deepestAlternate) return true;
  const lines = untilNul(text)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  return lines.some((line) => {
    // A quoted path, which git writes only for names with a line end.
    if (line.startsWith('"')) return true;
    // Versions of git differ in how they read `..` after a link.
    const places = [resolve(objects, line), followGitPath(objects, line) ?? resolve(objects, line)];
    const isOut = (place: string): boolean => !workRoots.some((root) => isInside(place, root));
    return places.some((place) => isOut(place) || leadsOut(place, workRoots, depth + 1));
  });
}

/** `git rebase --continue` runs the commands in its list. */
function inspectRebase(gitFolder: string): readonly Danger[] {
  const path = join(gitFolder, "rebase-merge", "git-rebase-todo");
  if (kindOf(path) === "missing") return [];
  const text = readTextIfAny(path);
  if (text === null) return [beyondJudgement(path)];
  const lines = text.split("\n");
  const commands = lines.filter((line) => /^\s*(exec|x)\s/.test(line));
  if (commands.length === 0) return [];
  const repair = (): string => lines.filter((line) => !commands.includes(line)).join("\n");
  return [{ id: `${path}: ${commands.join("\n")}`, path, effect: "run commands when the rebase goes on", repair }];
}

/**
 * Git's own merge strategies. For any other name, git runs the program `git-merge-NAME` when a
 * rebase or pick continues.
 */
const strategies: ReadonlySet<string> = new Set(["ort", "recursive", "resolve", "octopus", "ours", "subtree"]);

function inspectStrategies(gitFolder: string): readonly Danger[] {
  return [...inspectRebaseStrategy(gitFolder), ...inspectPickOptions(gitFolder)];
}

function inspectRebaseStrategy(gitFolder: string): readonly Danger[] {
  const path = join(gitFolder, "rebase-merge", "strategy");
  if (kindOf(path) === "missing") return [];
  const strategy = readTextIfAny(path)?.replace(/\r?\n$/, "") ?? null;
  if (strategy === null) return [beyondJudgement(path)];
  return strategies.has(strategy) ? [] : [toStrategyDanger(path, strategy)];
}

/** Options of an unfinished cherry-pick or revert. */
function inspectPickOptions(gitFolder: string): readonly Danger[] {
  const path = join(gitFolder, "sequencer", "opts");
  if (kindOf(path) === "missing") return [];
  const entries = parseGitConfig(readTextIfAny(path) ?? "[");
  if (entries === null) return [beyondJudgement(path)];
  const isForeign = ({ key, value }: GitConfigEntry): boolean =>
    key === "options.strategy" && !strategies.has(value ?? "");
  const repair = (): string => formatGitConfig(entries.filter((entry) => !isForeign(entry)));
  return entries.filter(isForeign).map(({ value }) => ({ ...toStrategyDanger(path, value ?? ""), repair }));
}

function toStrategyDanger(path: string, strategy: string): Danger {
  return { id: `${path}: ${strategy}`, path, effect: `run git-merge-${strategy} when it goes on` };
}

/** Git would write through these links, to any file of the user. */
function inspectLinks(folder: string, gitFolder: string): readonly Danger[] {
  return (listExisting(folder) ?? []).flatMap(({ name, kind }) => {
    const path = join(folder, name);
    if (kind === "folder") return withoutLinks.has(name) ? [] : inspectLinks(path, gitFolder);
    if (kind !== "symlink") return [];
    const target = resolve(folder, readLinkIfAny(path) ?? "");
    if (isInside(resolveIfAny(target) ?? target, gitFolder)) return [];
    return [{ id: `${path} -> ${target}`, path, effect: `write to ${target}` }];
  });
}

/** In these folders git only creates new files, or we check them separately. */
const withoutLinks: ReadonlySet<string> = new Set(["objects", "hooks", "modules", "worktrees"]);

/** The git folders of submodules and linked worktrees. */
function findInner(gitFolder: string): readonly string[] {
  const worktrees = join(gitFolder, "worktrees");
  return [...findGitFolders(join(gitFolder, "modules")), ...listNames(worktrees).map((name) => join(worktrees, name))];
}
