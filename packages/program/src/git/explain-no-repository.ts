import type { GitResult } from "./run-git.ts";

/** Why git finds no repository around a folder, as a sentence with its remedy. `result`: of `git rev-parse --show-toplevel`. */
export function explainNoRepository({ stderr }: GitResult, folder: string): string {
  const remedy = /^\s*(git config --global --add safe\.directory .+)$/m.exec(stderr)?.[1];
  if (remedy === undefined) return `${folder} is not in a git repository.`;
  return `git does not use the repository of ${folder}, because another user owns it. If you trust it: ${remedy}`;
}
