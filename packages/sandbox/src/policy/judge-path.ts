import { isInside } from "@unroll/files";
import { sep } from "node:path";
import type { SandboxPolicy } from "@unroll/protocol";

/**
 * Whether a file may be written, by a command or a patch. It goes by the policy alone; `realPath` is absolute, with every
 * link followed. What lies under a `.git` is for git itself to write, so here it is refused. Protected names count in any
 * spelling: some file systems do not tell `.CODEX` from `.codex`.
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

/** Whether a file may be read, by a command or for the model. `realPath` as of `canWrite`. A root in a hidden folder is not hidden. */
export function canRead(policy: SandboxPolicy, realPath: string): boolean {
  if (policy.mode === "danger-full-access") return true;
  const roots = policy.mode === "workspace-write" ? policy.roots.map(({ path }) => path) : [];
  const hidden = lengthOfInnermost(policy.hidden, realPath);
  return hidden === 0 || hidden < lengthOfInnermost(roots, realPath);
}

/** Of the folder that is nearest around `path`; 0 when none is around it. */
function lengthOfInnermost(folders: readonly string[], path: string): number {
  return Math.max(0, ...folders.filter((folder) => isInside(path, folder)).map((folder) => folder.length));
}

/** And not within a `.git` that is itself below. */
function isBelow(path: string, root: string): boolean {
  return isInside(path, root) && !path.slice(root.length).toLowerCase().split(sep).includes(".git");
}
