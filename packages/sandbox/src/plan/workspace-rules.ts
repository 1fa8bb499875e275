import { join } from "node:path";
import { isInside, kindOf, resolveIfAny } from "@unroll/files";
import type { ConfinedPolicy, FileIdentity, ReadOnlyPath, WorkspaceWritePolicy } from "@unroll/protocol";
import { identityOf, listNames } from "../files/path-facts.ts";
import {
  freezeRepository,
  type GitProtection,
  type GitSurroundings,
  mergeProtections,
  noProtection,
  protectNamedPlaces,
  protectRepositories,
} from "../git/git-rules.ts";
import { canRead } from "../policy/judge-path.ts";
import { keepAbsent } from "../policy/keep-absent.ts";
import { veilFolders } from "../policy/veil-folders.ts";
import { orderRules, pinAncestors, type PathRule } from "../policy/path-rule.ts";

/** A policy applied to the file system as it is now. */
export interface WorkspaceRules {
  readonly type: "rules";
  /** In the order of `orderRules`. */
  readonly rules: readonly PathRule[];
  /** The roots that commands work in, without temporary ones. */
  readonly workRoots: readonly string[];
  /** The places of folders that steer agents, whether they exist or must not be created. */
  readonly agentPaths: readonly string[];
  readonly git: GitProtection;
}

/** The sandbox cannot be built. `reason` continues a sentence that begins with the path. */
export interface NoRules {
  readonly type: "unprotectable";
  readonly path: string;
  readonly reason: string;
}

export function readWorkspaceRules(
  policy: ConfinedPolicy,
  around: Omit<GitSurroundings, "writableRoots">,
): WorkspaceRules | NoRules {
  const veiled = veilFolders(policy.hidden, (path) => canWriteFolder(policy, path));
  const hidden = [...policy.hidden.flatMap(hide), ...veiled];
  if (policy.mode === "read-only") {
    return { type: "rules", rules: orderRules(hidden), workRoots: [], agentPaths: [], git: noProtection };
  }
  // A deleted root is left out: there is nothing to write.
  const roots = policy.roots.filter(({ path }) => kindOf(path) !== "missing");
  const folders = roots.map(({ path }) => path);
  const readOnly = policy.readOnly.filter(({ path }) => folders.some((folder) => isInside(path, folder)));
  // A path inside another read-only path, or in a hidden folder, is already protected.
  const outermost = readOnly.filter(
    ({ path }) => canRead(policy, path) && !readOnly.some((other) => other.path !== path && isInside(path, other.path)),
  );
  const flaw = findFlaw(roots, [...readOnly.map(({ path }) => path), ...folders.map(gitOf)]);
  if (flaw !== null) return flaw;

  const ofKind = (kind: "work" | "temporary"): readonly string[] =>
    roots.filter((root) => root.kind === kind).map(({ path }) => path);
  const surroundings = { ...around, writableRoots: folders };
  const isGitWritable = policy.git === "writable";
  const git = mergeProtections([
    isGitWritable ? protectRepositories(ofKind("work"), surroundings) : noProtection,
    // The rules of writable repositories are included there. Reading them twice would slow down
    // each command.
    protectNamedPlaces(isGitWritable ? [] : ofKind("work"), surroundings),
  ]);
  const rules = orderRules([
    ...folders.map((path): PathRule => ({ type: "writable", path })),
    ...folders.map(gitOf).filter(isEmpty).flatMap(keepAbsent),
    ...(isGitWritable ? ofKind("temporary") : folders).flatMap((root) => freezeRepository(root, surroundings)),
    ...git.rules.filter(({ type, path }) => type !== "writable" || !isKept(path, policy)),
    ...outermost.flatMap(keep),
    ...hidden,
  ]);
  return {
    type: "rules",
    rules: pinAncestors(rules, folders),
    workRoots: ofKind("work"),
    agentPaths: readOnly.filter(({ kind }) => kind === "agent").map(({ path }) => path),
    git,
  };
}

/** The work folders that exist, as in `WorkspaceRules`. */
export function listWorkRoots({ roots }: WorkspaceWritePolicy): readonly string[] {
  return roots.filter(({ kind, path }) => kind === "work" && kindOf(path) !== "missing").map(({ path }) => path);
}

function canWriteFolder(policy: ConfinedPolicy, folder: string): boolean {
  if (policy.mode === "read-only") return false;
  return policy.roots.some(({ path }) => isInside(folder, path)) && !isKept(folder, policy);
}

/** A replaced root, or a link among the protected paths, which no mount can hold in place. */
function findFlaw(roots: WorkspaceWritePolicy["roots"], kept: readonly string[]): NoRules | null {
  // The number of a deleted file is reused, also for a link.
  const replaced = roots.find(({ path, identity }) => kindOf(path) !== "folder" || !isSame(identity, identityOf(path)));
  if (replaced !== undefined) {
    const reason =
      "is not the folder any more that it was when the thread began: somebody has replaced it. Put that back, or start a new thread";
    return { type: "unprotectable", path: replaced.path, reason };
  }
  const link = kept.find((path) => kindOf(path) === "symlink");
  if (link === undefined) return null;
  const reason = "is a symlink, which cannot be protected. Replace it by what it points to";
  return { type: "unprotectable", path: link, reason };
}

function isSame(a: FileIdentity, b: FileIdentity | null): boolean {
  return a.device === b?.device && a.inode === b.inode;
}

function isKept(path: string, { readOnly }: WorkspaceWritePolicy): boolean {
  return readOnly.some((kept) => isInside(path, kept.path));
}

function gitOf(root: string): string {
  return join(root, ".git");
}

/** An existing path may be read; a missing one must not be created. */
function keep({ path }: ReadOnlyPath): readonly PathRule[] {
  return isEmpty(path) ? keepAbsent(path) : [{ type: "read-only", path }];
}

function isEmpty(path: string): boolean {
  const kind = kindOf(path);
  return kind === "missing" || (kind === "folder" && listNames(path).length === 0);
}

function hide(path: string): readonly PathRule[] {
  const place = resolveIfAny(path);
  if (place === null) return [];
  return [{ type: kindOf(place) === "folder" ? "hidden-folder" : "hidden-file", path: place }];
}
