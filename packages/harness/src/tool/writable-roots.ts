import { realpathSync } from "node:fs";
import { join, sep } from "node:path";
import type { SandboxPolicy } from "@unroll/protocol";

/** Names in every writable root that stay read-only, for patches as for commands. */
const protectedNames = [".git", ".codex", ".agents"];

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
}

export function createWritableRoots({ policy, cwd, temporaryFolder }: WritableRootsOptions): WritableRoots {
  if (policy.mode === "danger-full-access") return { isWritable: () => true };
  if (policy.mode === "read-only") return { isWritable: () => false };
  const folders = [
    cwd,
    ...policy.writableRoots,
    ...(policy.excludeSlashTmp ? [] : ["/tmp"]),
    ...(policy.excludeTmpdirEnvVar || temporaryFolder === null ? [] : [temporaryFolder]),
  ];
  const roots = folders.flatMap(toRealPath);
  const protectedPaths = roots.flatMap((root) => protectedNames.map((name) => join(root, name)));
  const isIn = (path: string, places: readonly string[]): boolean => places.some((place) => isInside(path, place));
  return { isWritable: (realPath) => isIn(realPath, roots) && !isIn(realPath, protectedPaths) };
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
