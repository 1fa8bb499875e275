import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import type { SandboxPolicy } from "@unroll/protocol";

/** What lies under a folder of one of these names, however deep, steers git or an agent: patches never write it unasked. */
const protectedNames = new Set([".git", ".codex", ".agents"]);

/** Tells which files may be written without asking: the same that a command in the sandbox may write. */
export interface WritableRoots {
  /** `realPath` is absolute with every link followed. */
  isWritable(realPath: string): boolean;
}

export interface WritableRootsOptions {
  readonly policy: SandboxPolicy;
  readonly cwd: string;
  /** `$TMPDIR`; null when not set. */
  readonly temporaryFolder: string | null;
  /** Absolute; never writable, also where they lie in a writable root. */
  readonly readOnlyFolders: readonly string[];
}

export function createWritableRoots(options: WritableRootsOptions): WritableRoots {
  const { policy, cwd, temporaryFolder } = options;
  if (policy.mode === "danger-full-access") return { isWritable: () => true };
  if (policy.mode === "read-only") return { isWritable: () => false };
  const folders = [
    cwd,
    ...policy.writableRoots,
    ...(policy.excludeSlashTmp ? [] : ["/tmp"]),
    ...(policy.excludeTmpdirEnvVar || temporaryFolder === null ? [] : [temporaryFolder]),
  ];
  const roots = folders.flatMap(toRealPath);
  const readOnly = options.readOnlyFolders.flatMap(toRealPath);
  return {
    isWritable(realPath) {
      const root = roots.find((each) => isInside(realPath, each));
      if (root === undefined || readOnly.some((each) => isInside(realPath, each))) return false;
      return !isProtected(realPath, root);
    },
  };
}

/** Whether git or an agent would obey the file; `HEAD` too, for with one any folder can be made a repository. */
function isProtected(realPath: string, root: string): boolean {
  const below = realPath.slice(root.length).toLowerCase().split(sep);
  if (below.some((name) => protectedNames.has(name)) || basename(realPath) === "HEAD") return true;
  for (let folder = dirname(realPath); isInside(folder, root); folder = dirname(folder)) {
    if (isGitFolder(folder)) return true;
    if (folder === dirname(folder)) break;
  }
  return false;
}

function isGitFolder(folder: string): boolean {
  return existsSync(join(folder, "HEAD")) && existsSync(join(folder, "objects"));
}

/** The path with every link followed; none where nothing is there. */
export function toRealPath(path: string): readonly string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

/** Whether the path is the folder, or below it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
