import { isInside } from "@unroll/files";
import type { ConfinedPolicy, SandboxPolicy, WritableRoot } from "@unroll/protocol";
import { canRead, canWrite } from "./judge-path.ts";

/**
 * Whether a command under `policy` reaches nothing that one under `other` does not: files to write and to read, the network,
 * git's own files. How much of the machine it may take (`limits`) is not looked at.
 */
export function isAsTight(policy: SandboxPolicy, other: SandboxPolicy): boolean {
  if (other.mode === "danger-full-access") return true;
  if (policy.mode === "danger-full-access") return false;
  return (
    (other.allowWeaker || !policy.allowWeaker) &&
    other.hidden.every((path) => !canRead(policy, path)) &&
    (policy.network.type === "closed" || other.network.type === "open") &&
    writesNoMore(policy, other)
  );
}

function writesNoMore(policy: ConfinedPolicy, other: ConfinedPolicy): boolean {
  if (policy.mode === "read-only" || policy.roots.length === 0) return true;
  if (other.mode === "read-only") return false;
  return (
    (policy.git === "protected" || other.git === "writable") &&
    policy.roots.every((root) => canWrite(other, root.path) && other.roots.some((around) => isHeldBy(root, around))) &&
    other.readOnly.every(({ path }) => !canWrite(policy, path))
  );
}

/** One that was replaced since is another folder at the same path. */
function isHeldBy({ path, identity }: WritableRoot, around: WritableRoot): boolean {
  if (path !== around.path) return isInside(path, around.path);
  return identity.device === around.identity.device && identity.inode === around.identity.inode;
}
