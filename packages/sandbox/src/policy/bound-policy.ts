import { isInside } from "@unroll/files";
import type { SandboxPolicy, WorkspaceWritePolicy, WritableRoot } from "@unroll/protocol";
import { canWrite } from "./judge-path.ts";

/**
 * Limits the folders of a policy to those of another one: a writable folder stays if the other
 * policy may write it; where it is wider, only the other's folders in it stay. Read-only paths of
 * the other policy stay read-only. Without any folder left, nothing may be written. The mode, the
 * network and hidden files are limited by settings (`tightenSandbox` of the harness).
 */
export function boundPolicy(policy: SandboxPolicy, around: SandboxPolicy): SandboxPolicy {
  if (policy.mode !== "workspace-write" || around.mode !== "workspace-write") return policy;
  const roots = withoutDoubles(policy.roots.flatMap((root) => boundRoot(root, around)));
  const { hidden, allowWeaker, limits } = policy;
  if (roots.length === 0) return { mode: "read-only", network: { type: "closed" }, hidden, allowWeaker, limits };
  const readOnly = new Map([...policy.readOnly, ...around.readOnly].map((each) => [each.path, each]));
  return { ...policy, roots, readOnly: [...readOnly.values()] };
}

/** Another folder at the same path is not the one that the other policy allows. */
function boundRoot(root: WritableRoot, around: WorkspaceWritePolicy): readonly WritableRoot[] {
  const holder = around.roots.find(({ path }) => isInside(root.path, path));
  if (holder === undefined) return around.roots.filter(({ path }) => isInside(path, root.path));
  if (holder.path !== root.path) return canWrite(around, root.path) ? [root] : [];
  const isSame = holder.identity.device === root.identity.device && holder.identity.inode === root.identity.inode;
  return isSame ? [root] : [];
}

function withoutDoubles(roots: readonly WritableRoot[]): readonly WritableRoot[] {
  return [...new Map(roots.map((root) => [root.path, root])).values()];
}
