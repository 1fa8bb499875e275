import type { GitResult } from "./run-git.ts";

/** Why git finds no repository around a folder, as a sentence with its remedy. `result`: of `git rev-parse --show-toplevel`. */
export function explainNoRepository(result: GitResult, folder: string): string {
  return explainForeignOwner(result, folder) ?? `${folder} is not in a git repository.`;
}

/** Null: git does not refuse the repository because of its owner. `result`: of any git command. */
export function explainForeignOwner({ stderr }: GitResult, folder: string): string | null {
  const remedy = /^\s*(git config --global --add safe\.directory .+)$/m.exec(stderr)?.[1];
  if (remedy === undefined) return null;
  return `git does not use the repository of ${folder}, because another user owns it. If you trust it: ${remedy}`;
}
