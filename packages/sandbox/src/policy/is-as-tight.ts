import { isInside } from "@unroll/files";
import { hasTighterHosts, readHostRules } from "@unroll/egress";
import type { ConfinedPolicy, NetworkAccess, SandboxPolicy, WritableRoot } from "@unroll/protocol";
import { canRead, canWrite } from "./judge-path.ts";

/**
 * Whether everything that a command reaches under `policy` is also reachable under `other`: files
 * to read and write, the network, git's own files. The limits on processes and memory are not
 * compared.
 */
export function isAsTight(policy: SandboxPolicy, other: SandboxPolicy): boolean {
  if (other.mode === "danger-full-access") return true;
  if (policy.mode === "danger-full-access") return false;
  return (
    (other.allowWeaker || !policy.allowWeaker) &&
    other.hidden.every((path) => !canRead(policy, path)) &&
    reachesNoMore(policy.network, other.network) &&
    writesNoMore(policy, other)
  );
}

function reachesNoMore(network: NetworkAccess, other: NetworkAccess): boolean {
  if (network.type === "closed" || other.type === "open") return true;
  return (
    network.type === "hosts" && other.type === "hosts" && hasTighterHosts(readHostRules(network), readHostRules(other))
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

/** A root that was replaced is another folder at the same path. */
function isHeldBy({ path, identity }: WritableRoot, around: WritableRoot): boolean {
  if (path !== around.path) return isInside(path, around.path);
  return identity.device === around.identity.device && identity.inode === around.identity.inode;
}
