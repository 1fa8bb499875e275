import { isInside } from "@unroll/files";
import { checkShape } from "@unroll/text";
import { basename, dirname, join } from "node:path";
import type { ReadOnlyPath, SandboxMode, SandboxPolicy, SandboxSettings, WorkspaceWritePolicy } from "@unroll/protocol";
import { followLinks } from "../files/follow-links.ts";
import { makeFolder } from "../files/make-folder.ts";
import { resolveRoots, type NamedRoot } from "./resolve-roots.ts";

/** Where a thread runs, and what of the harness is around it. Paths are absolute. */
export interface SandboxPlace {
  /** The working folder. */
  readonly cwd: string;
  /** `$TMPDIR` of the commands; null when they have none. */
  readonly temporaryFolder: string | null;
  /** The user's: `.agents` in it steers this program. */
  readonly homeDirectory: string;
  /** `$CODEX_HOME`: config, rules, skills, credentials, threads. */
  readonly codexHome: string;
  /** See `findStateFolder`. */
  readonly stateFolder: string;
  /** What else is the program's own: its code, and what it keeps. */
  readonly ownFolders: readonly string[];
}

/** A policy, and what a person should know of how it came about, in sentences. */
export interface ResolvedSandboxPolicy {
  readonly policy: SandboxPolicy;
  readonly warnings: readonly string[];
}

/** Folders that steer this and other agents. */
const agentFolders = [".codex", ".agents"] as const;

// As a record, so that a new one does not compile before it is taken; the list of protocol would bring its schemas along.
const modes: Readonly<Record<SandboxMode, true>> = {
  "read-only": true,
  "workspace-write": true,
  "danger-full-access": true,
};

/**
 * What the settings mean on this disk; to be called once, when a thread starts. Folders that commands may write are made
 * where they are missing and can be, and so is the folder around a missing one of the program's own that commands could
 * make first. The rest is left out, with a warning.
 */
export function resolveSandboxPolicy(settings: SandboxSettings, place: SandboxPlace): ResolvedSandboxPolicy {
  checkShape("resolveSandboxPolicy", { settings, place }, { "settings.mode": Object.keys(modes), place: "an object" });
  const { mode, allowWeaker, limits } = settings;
  switch (mode) {
    case "danger-full-access":
      return { policy: { mode }, warnings: [] };
    case "read-only": {
      const hidden = resolveHidden(settings.denyRead);
      return { policy: { mode, network: { type: "closed" }, hidden, allowWeaker, limits }, warnings: [] };
    }
    case "workspace-write":
      return resolveWorkspaceWrite(settings, place);
  }
}

function resolveWorkspaceWrite(settings: SandboxSettings, place: SandboxPlace): ResolvedSandboxPolicy {
  const harnessPaths = [place.codexHome, place.stateFolder, ...place.ownFolders].flatMap(toEveryPlace);
  const { roots, warnings } = resolveRoots(nameRoots(settings, place), harnessPaths);
  const folders = roots.map(({ path }) => path);
  // A missing one is held down in the folder that it belongs into.
  for (const path of harnessPaths.filter((each) => folders.some((folder) => isInside(each, folder)))) {
    makeFolder(dirname(path));
  }
  const policy: WorkspaceWritePolicy = {
    mode: "workspace-write",
    network: { type: settings.networkAccess ? "open" : "closed" },
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

/** At the top of every root, in every folder from a root down to the working folder, and in the user's home. */
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

/** Where it is, and the links that lead there: a command that replaces one of them replaces all. */
function toEveryPlace(path: string): readonly string[] {
  const { realPath, links } = followLinks(path);
  return [...links, realPath];
}

/** Under its own name too, for a link may lead elsewhere later. */
function resolveHidden(paths: readonly string[]): readonly string[] {
  const places = paths.flatMap((path) => [
    join(followLinks(dirname(path)).realPath, basename(path)),
    followLinks(path).realPath,
  ]);
  return [...new Set(places)];
}
