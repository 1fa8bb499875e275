import type { GitResult } from "./run-git.ts";

/** Why git has no answer about the repository around a folder, as a sentence with its remedy. `result`: of a `git rev-parse` that failed. */
export function explainNoRepository(result: GitResult, folder: string): string {
  const foreign = explainForeignOwner(result, folder);
  if (foreign !== null) return foreign;
  const reason = /^fatal: (?!not a git repository)(.+?)\.?$/m.exec(result.stderr)?.[1];
  return reason === undefined ? `${folder} is not in a git repository.` : `git failed in ${folder}: ${reason}.`;
}

/** Null: git does not refuse the repository because of its owner. `result`: of any git command. */
export function explainForeignOwner({ stderr }: GitResult, folder: string): string | null {
  const remedy = /^\s*(git config --global --add safe\.directory .+)$/m.exec(stderr)?.[1];
  if (remedy === undefined) return null;
  return `git does not use the repository of ${folder}, because another user owns it. If you trust it: ${remedy}`;
}
