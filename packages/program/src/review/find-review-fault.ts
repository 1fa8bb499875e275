import { type GitPlace, lookByGit } from "../git/run-git.ts";
import type { ReviewTarget } from "./review-target.ts";

/** What keeps a target from being reviewed, in a sentence: git knows no such branch or commit. Null: nothing, or there is no git to ask. */
export async function findReviewFault(target: ReviewTarget, place: GitPlace): Promise<string | null> {
  switch (target.type) {
    case "uncommitted":
    case "custom":
      return null;
    case "branch":
      return (await isUnknown(target.branch, place)) ? `There is no branch ${target.branch} here.` : null;
    case "commit":
      return (await isUnknown(target.commit, place)) ? `There is no commit ${target.commit} here.` : null;
  }
}

/** As `git rev-parse --verify` ends where it looked and found nothing; without a repository it ends otherwise. */
const notFound = 1;

async function isUnknown(name: string, place: GitPlace): Promise<boolean> {
  const { code } = await lookByGit(["rev-parse", "--verify", "-q", "--end-of-options", `${name}^{commit}`], place);
  return code === notFound;
}
