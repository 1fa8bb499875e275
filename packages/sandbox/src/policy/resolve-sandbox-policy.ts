import { followLinks, isInside } from "@unroll/files";
import { checkShape } from "@unroll/text";
import { basename, dirname, join } from "node:path";
import type { ReadOnlyPath, SandboxMode, SandboxPolicy, SandboxSettings, WorkspaceWritePolicy } from "@unroll/protocol";
import { makeFolder } from "../files/make-folder.ts";
import { resolveRoots, type NamedRoot } from "./resolve-roots.ts";

/** The folders of a thread and of the harness. Paths are absolute. */
export interface SandboxPlace {
  /** The working folder. */
  readonly cwd: string;
  /** `$TMPDIR` of the commands; null: they have none. */
  readonly temporaryFolder: string | null;
  /** The user's home; `.agents` in it steers this program. */
  readonly homeDirectory: string;
  /** `$CODEX_HOME`: config, rules, skills, credentials, threads. */
  readonly codexHome: string;
  /** The folder that `findStateFolder` returns. */
  readonly stateFolder: string;
  /** Further folders of the program itself: its code, and its data. */
  readonly ownFolders: readonly string[];
}

/** A policy, and warnings for the user about how it was resolved, in sentences. */
export interface ResolvedSandboxPolicy {
  readonly policy: SandboxPolicy;
  readonly warnings: readonly string[];
}

/** Folders that steer this and other agents. */
const agentFolders = [".codex", ".agents"] as const;

// A record, so that a new mode does not compile before it is handled here. The list in `protocol`
// would load its schemas.
const modes: Readonly<Record<SandboxMode, true>> = {
  "read-only": true,
  "workspace-write": true,
  "danger-full-access": true,
};

/**
 * Turns settings into a policy for this disk. Call it once, when a thread starts. Missing writable
 * folders are created where possible. So is the folder around a missing folder of the program,
 * which commands could otherwise create first. Other folders are left out, with a warning. Throws
 * `TypeError` for settings of a wrong shape.
 */
export function resolveSandboxPolicy(settings: SandboxSettings, place: SandboxPlace): ResolvedSandboxPolicy {
  checkShape("resolveSandboxPolicy", { settings, place }, { "settings.mode": Object.keys(modes), place: "an object" });
  switch (settings.mode) {
    case "danger-full-access":
    case "read-only":
      return { policy: resolveReadPolicy(settings), warnings: [] };
    case "workspace-write":
      return resolveWorkspaceWrite(settings, place);
  }
}

/** The policy of the settings if nothing may be written: which files are hidden. Creates no folder. */
export function resolveReadPolicy({ mode, denyRead, allowWeaker, limits }: SandboxSettings): SandboxPolicy {
  if (mode === "danger-full-access") return { mode };
  return { mode: "read-only", network: { type: "closed" }, hidden: resolveHidden(denyRead), allowWeaker, limits };
}

function resolveWorkspaceWrite(settings: SandboxSettings, place: SandboxPlace): ResolvedSandboxPolicy {
  const harnessPaths = [place.codexHome, place.stateFolder, ...place.ownFolders].flatMap(toEveryPlace);
  const { roots, warnings } = resolveRoots(nameRoots(settings, place), harnessPaths);
  const folders = roots.map(({ path }) => path);
  // A missing path is blocked in its parent folder.
  for (const path of harnessPaths.filter((each) => folders.some((folder) => isInside(each, folder)))) {
    makeFolder(dirname(path));
  }
  const policy: WorkspaceWritePolicy = {
    mode: "workspace-write",
    network: settings.hosts
      ? { type: "hosts", ...settings.hosts }
      : { type: settings.networkAccess ? "open" : "closed" },
    roots,
    readOnly: listReadOnly(harnessPaths, listAgentFolders(folders, place)),
    hidden: resolveHidden(settings.denyRead),
    git: settings.git,
    allowWeaker: settings.allowWeaker,
    limits: settings.limits,
  };
  return { policy, warnings };
}

function nameRoots(settings: SandboxSettings, { cwd, temporaryFolder }: SandboxPlace): readonly NamedRoot[] {
  const named = (path: string): NamedRoot => ({ type: "named", path });
  return [
    { type: "working", path: cwd },
    ...settings.writableRoots.map(named),
    ...(settings.excludeSlashTmp ? [] : [{ type: "shared-temporary", path: "/tmp" } as const]),
    ...(settings.excludeTmpdirEnvVar || temporaryFolder === null
      ? []
      : [{ type: "own-temporary", path: temporaryFolder } as const]),
  ];
}

/**
 * At the top of every root, in every folder from a root down to the working folder, and in the
 * user's home.
 */
function listAgentFolders(roots: readonly string[], { cwd, homeDirectory }: SandboxPlace): readonly string[] {
  const onTheWay = listAncestors(followLinks(cwd).realPath).filter((path) =>
    roots.some((root) => isInside(path, root)),
  );
  const places = new Set([...roots, ...onTheWay, homeDirectory]);
  return [...places].flatMap((folder) => agentFolders.map((name) => join(folder, name))).flatMap(toEveryPlace);
}

function listAncestors(path: string): readonly string[] {
  return path === dirname(path) ? [path] : [path, ...listAncestors(dirname(path))];
}

function listReadOnly(harnessPaths: readonly string[], agentPaths: readonly string[]): readonly ReadOnlyPath[] {
  const harness = harnessPaths.map((path): ReadOnlyPath => ({ path, kind: "harness" }));
  const agent = agentPaths.map((path): ReadOnlyPath => ({ path, kind: "agent" }));
  return [...new Map([...agent, ...harness].map((each) => [each.path, each])).values()];
}

/** The path itself, and the links that lead there: replacing a link replaces the target. */
function toEveryPlace(path: string): readonly string[] {
  const { realPath, links } = followLinks(path);
  return [...links, realPath];
}

/** Under its own name too, because a link may be changed later. */
function resolveHidden(paths: readonly string[]): readonly string[] {
  const places = paths.flatMap((path) => [
    join(followLinks(dirname(path)).realPath, basename(path)),
    followLinks(path).realPath,
  ]);
  return [...new Set(places)];
}
