import { accessSync, constants } from "node:fs";
import { basename, join } from "node:path";
import type { SandboxPolicy } from "@unroll/protocol";
import { kindOf, listNames, resolveIfAny } from "../files/path-facts.ts";
import { freezeRepository, NO_PROTECTION, protectRepositories, type GitProtection } from "../git/git-rules.ts";
import type { Workspace } from "./workspace.ts";
import { isInside, orderRules, pinAncestors, type PathRule } from "./path-rule.ts";

/** What a policy means for the file system as it is now. */
export interface WorkspaceRules {
  readonly type: "rules";
  /** In the order of `orderRules`. */
  readonly rules: readonly PathRule[];
  /** The roots that commands work in: the working folder and those that the policy names. */
  readonly workRoots: readonly string[];
  readonly git: GitProtection;
}

/** A protected name is a symlink, which nothing can hold in its place. */
export interface UnprotectablePath {
  readonly type: "unprotectable";
  readonly path: string;
}

/** Folders that steer this and other agents; read-only at the top of every writable root. */
const AGENT_FOLDERS = [".codex", ".agents"] as const;

export function readWorkspaceRules(policy: SandboxPolicy, workspace: Workspace): WorkspaceRules | UnprotectablePath {
  const hidden = policy.denyRead.flatMap(hide);
  if (policy.mode !== "workspace-write") {
    return { type: "rules", rules: orderRules(hidden), workRoots: [], git: NO_PROTECTION };
  }

  const workRoots = resolveAll([workspace.folder, ...policy.writableRoots]);
  const temporaryRoots = findTemporaryRoots(policy, workspace, workRoots);
  const roots = [...workRoots, ...temporaryRoots];
  const symlink = roots.flatMap(protectedPaths).find((path) => kindOf(path) === "symlink");
  if (symlink !== undefined) return { type: "unprotectable", path: symlink };

  const surroundings = { writableRoots: roots, home: workspace.home };
  const isGitWritable = policy.git === "writable";
  const git = isGitWritable ? protectRepositories(workRoots, surroundings) : NO_PROTECTION;
  const frozenRoots = isGitWritable ? temporaryRoots : roots;
  const rules = orderRules([
    ...roots.map((path): PathRule => ({ type: "writable", path })),
    ...roots.filter(canWrite).flatMap(protectedPaths).flatMap(keep),
    ...frozenRoots.flatMap((root) => freezeRepository(root, surroundings)),
    ...git.rules,
    ...resolveAll([workspace.stateFolder, ...workspace.readOnlyFolders])
      .filter((path) => roots.some((root) => isInside(path, root)))
      .map((path): PathRule => ({ type: "read-only", path })),
    ...hidden,
  ]);
  return { type: "rules", rules: pinAncestors(rules, roots), workRoots, git };
}

/** The temporary folders that commands may write, unless another root holds them already. */
function findTemporaryRoots(
  policy: SandboxPolicy,
  { temporaryFolder }: Workspace,
  workRoots: readonly string[],
): readonly string[] {
  const folders = resolveAll([
    ...(policy.excludeSlashTmp ? [] : ["/tmp"]),
    ...(policy.excludeTmpdirEnvVar || temporaryFolder === undefined ? [] : [temporaryFolder]),
  ]).filter((folder) => !workRoots.includes(folder));
  const others = [...workRoots, ...folders];
  return folders.filter((folder) => !others.some((other) => other !== folder && isInside(folder, other)));
}

function resolveAll(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap((path) => resolveIfAny(path) ?? []))];
}

function protectedPaths(root: string): readonly string[] {
  return [".git", ...AGENT_FOLDERS].map((name) => join(root, name));
}

/** What is there may be read; what is not there must not come into being. */
function keep(path: string): readonly PathRule[] {
  const kind = kindOf(path);
  if (kind === "missing" || (kind === "folder" && listNames(path).length === 0)) return [{ type: "absent", path }];
  return basename(path) === ".git" ? [] : [{ type: "read-only", path }];
}

function hide(path: string): readonly PathRule[] {
  const place = resolveIfAny(path);
  if (place === undefined) return [];
  return [{ type: kindOf(place) === "folder" ? "hidden-folder" : "hidden-file", path: place }];
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
