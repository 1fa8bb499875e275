import { existsSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import type { SandboxPolicy } from "@unroll/protocol";
import { canWrite, findObeyedPlaces } from "@unroll/sandbox";

/** Tells which files patches may write without asking. */
export interface WritableRoots {
  /** `realPath` is absolute with every link followed. */
  readonly isWritable: (realPath: string) => boolean;
}

/**
 * The folders that commands may write, without the files that git obeys: the sandbox checks repositories after a
 * command, but nobody checks them after a patch. `home` is where `~` leads in git's configuration.
 */
export function createWritableRoots(policy: SandboxPolicy, home: string): WritableRoots {
  if (policy.mode !== "workspace-write") return { isWritable: (realPath) => canWrite(policy, realPath) };
  const roots = new Set(policy.roots.map(({ path }) => path));
  const obeyed = findObeyedPlaces(policy, home);
  // Some file systems do not tell spellings apart.
  const isNamed = (path: string): boolean =>
    obeyed.some((place) => (path + sep).toLowerCase().startsWith((place + sep).toLowerCase()));
  return {
    isWritable: (realPath) => canWrite(policy, realPath) && !isObeyedByGit(realPath, roots) && !isNamed(realPath),
  };
}

/** Whether it is part of a repository; `HEAD` too, for with one any folder can be made a repository. */
function isObeyedByGit(realPath: string, roots: ReadonlySet<string>): boolean {
  return basename(realPath) === "HEAD" || listFoldersAround(realPath, roots).some(isGitFolder);
}

/** Up to the nearest root. */
function listFoldersAround(path: string, roots: ReadonlySet<string>): readonly string[] {
  const folder = dirname(path);
  return roots.has(folder) || folder === path ? [folder] : [folder, ...listFoldersAround(folder, roots)];
}

function isGitFolder(folder: string): boolean {
  return existsSync(join(folder, "HEAD")) && existsSync(join(folder, "objects"));
}
