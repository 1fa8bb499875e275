import { isInside } from "@unroll/files";
import type { SandboxPolicy, ThreadWorktree } from "@unroll/protocol";
import { identityOf } from "../files/path-facts.ts";
import { boundPolicy } from "./bound-policy.ts";

/**
 * Limits a policy to a work tree: of the folders that it may write, those in the work tree stay, and temporary ones that hold neither
 * it nor its repository. No git folder may be written, as work trees share one. `around`: the policy of a parent, which has no
 * part in the work tree; null: there is none.
 */
export function boundToWorktree(
  policy: SandboxPolicy,
  { tree, repository }: Pick<ThreadWorktree, "tree" | "repository">,
  around: SandboxPolicy | null,
): SandboxPolicy {
  if (policy.mode !== "workspace-write") return policy;
  const identity = identityOf(tree);
  const own = identity === null ? [] : [{ path: tree, kind: "work", identity } as const];
  const temporary = policy.roots.filter(
    ({ path, kind }) => kind === "temporary" && ![tree, repository].some((place) => isInside(place, path)),
  );
  const bound = boundPolicy({ ...policy, git: "protected" }, { ...policy, roots: [...own, ...temporary] });
  return around?.mode === "workspace-write"
    ? boundPolicy(bound, { ...around, roots: [...own, ...around.roots] })
    : bound;
}
