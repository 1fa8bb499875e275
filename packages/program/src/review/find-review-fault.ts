import { execFile } from "node:child_process";
import { safeGitOptions } from "../git/safe-git-options.ts";
import type { ReviewTarget } from "./review-target.ts";

/** What keeps a target from being reviewed, in a sentence: git knows no such branch or commit. Null: nothing, or there is no git to ask. */
export async function findReviewFault(target: ReviewTarget, cwd: string, signal: AbortSignal): Promise<string | null> {
  switch (target.type) {
    case "uncommitted":
    case "custom":
      return null;
    case "branch":
      return (await isUnknown(target.branch, cwd, signal)) ? `There is no branch ${target.branch} here.` : null;
    case "commit":
      return (await isUnknown(target.commit, cwd, signal)) ? `There is no commit ${target.commit} here.` : null;
  }
}

/** As `git rev-parse --verify` ends where it looked and found nothing; without a repository it ends otherwise. */
const notFound = 1;

function isUnknown(name: string, cwd: string, signal: AbortSignal): Promise<boolean> {
  const args = [...safeGitOptions, "rev-parse", "--verify", "-q", "--end-of-options", `${name}^{commit}`];
  return new Promise((resolve) => {
    const child = execFile("git", args, { cwd, signal }, () => resolve(child.exitCode === notFound));
  });
}
