import { isInside } from "@unroll/files";
import { sep } from "node:path";
import type { SandboxPolicy } from "@unroll/protocol";

/**
 * Whether a command or a patch may write a file, by the policy alone. `realPath` is absolute, with
 * every link followed. Files under a `.git` are refused: only git itself writes them. Protected
 * names match in any case, because some file systems treat `.CODEX` and `.codex` as the same name.
 */
export function canWrite(policy: SandboxPolicy, realPath: string): boolean {
  switch (policy.mode) {
    case "danger-full-access":
      return true;
    case "read-only":
      return false;
    case "workspace-write": {
      const lowerPath = realPath.toLowerCase();
      const isKept = policy.readOnly.some(({ path }) => isInside(lowerPath, path.toLowerCase()));
      return !isKept && canRead(policy, realPath) && policy.roots.some(({ path }) => isBelow(realPath, path));
    }
  }
}

/**
 * Whether a command or the model may read a file. `realPath` is absolute, with every link followed.
 * A root inside a hidden folder stays readable.
 */
export function canRead(policy: SandboxPolicy, realPath: string): boolean {
  if (policy.mode === "danger-full-access") return true;
  const roots = policy.mode === "workspace-write" ? policy.roots.map(({ path }) => path) : [];
  const hidden = lengthOfInnermost(policy.hidden, realPath);
  return hidden === 0 || hidden < lengthOfInnermost(roots, realPath);
}

/** The length of the innermost folder around `path`; 0: none is around it. */
function lengthOfInnermost(folders: readonly string[], path: string): number {
  return Math.max(0, ...folders.filter((folder) => isInside(path, folder)).map((folder) => folder.length));
}

/** Inside the root, but not inside a `.git` below it. */
function isBelow(path: string, root: string): boolean {
  return isInside(path, root) && !path.slice(root.length).toLowerCase().split(sep).includes(".git");
}
