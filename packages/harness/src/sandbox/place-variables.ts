import type { ShellEnvironmentPolicy, ThreadWorktree } from "@unroll/protocol";

/**
 * Variables by which git takes another repository, work tree, index or store of objects than those of the folder. The model's commands keep
 * the others, such as the names of authors; the git that unroll runs for itself gets none of them (`runGit`).
 */
const placeVariables: readonly string[] = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_COMMON_DIR",
  "GIT_INDEX_FILE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_NAMESPACE",
  "GIT_PREFIX",
  "GIT_SHALLOW_FILE",
  "GIT_GRAFT_FILE",
  "GIT_REPLACE_REF_BASE",
];

/** In a work tree of its own, without the variables that lead git out of it. */
export function limitVariables(
  policy: ShellEnvironmentPolicy,
  worktree: ThreadWorktree | null,
): ShellEnvironmentPolicy {
  if (worktree === null) return policy;
  const kept = Object.entries(policy.set).filter(([name]) => !placeVariables.includes(name));
  return { ...exclude(policy, placeVariables), set: Object.fromEntries(kept) };
}

export function exclude(policy: ShellEnvironmentPolicy, names: Iterable<string>): ShellEnvironmentPolicy {
  return { ...policy, exclude: [...policy.exclude, ...names] };
}
