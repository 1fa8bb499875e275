import type { ResolvedConfig } from "@unroll/config";
import type { ThreadChange } from "@unroll/harness";
import type { JsonSchema } from "@unroll/protocol";
import { type GitPlace, queryGit } from "@unroll/program";
import type { MissingTarget, ReviewTarget } from "@unroll/report";
import { renderReviewTask, reviewSchema } from "./review-task.ts";

/** The settings of a turn that reviews. */
export interface PreparedReview {
  readonly type: "ready";
  readonly input: string;
  readonly outputSchema: JsonSchema;
  /** A review in prose is a review, too: it is shown as it is. */
  readonly schemaRepairs: null;
}

/** Where a review looks. */
export interface ReviewPlace extends GitPlace {
  /** The user's focus. Absent or empty: nothing. */
  readonly focus?: string;
}

/**
 * Checks that git knows the target; without git or a repository, the model finds out. A clone in CI often has a branch only as
 * `origin` has it: then that one is the target.
 */
export async function prepareReview(
  wanted: ReviewTarget,
  { focus = "", ...place }: ReviewPlace,
): Promise<PreparedReview | MissingTarget> {
  const absent = await findMissing(wanted, place);
  const remote = absent?.kind === "branch" ? ({ type: "branch", branch: `origin/${absent.name}` } as const) : null;
  const isRemote = remote !== null && (await findMissing(remote, place)) === null;
  const target = isRemote ? remote : wanted;
  const missing = isRemote ? null : absent;
  return (
    missing ?? {
      type: "ready",
      input: renderReviewTask(target, focus),
      outputSchema: reviewSchema,
      schemaRepairs: null,
    }
  );
}

async function findMissing(target: ReviewTarget, place: GitPlace): Promise<MissingTarget | null> {
  switch (target.type) {
    case "uncommitted":
    case "custom":
      return null;
    case "branch":
      return check({ type: "missing", kind: "branch", name: target.branch }, place);
    case "commit":
      return check({ type: "missing", kind: "commit", name: target.commit }, place);
  }
}

/** `git rev-parse --verify` exits so when it looked and found nothing; without a repository it exits otherwise. */
const notFound = 1;

async function check(missing: MissingTarget, place: GitPlace): Promise<MissingTarget | null> {
  const args = ["rev-parse", "--verify", "-q", "--end-of-options", `${missing.name}^{commit}`];
  const { code } = await queryGit(args, place);
  return code === notFound ? missing : null;
}

/** The settings under which a thread reviews: it only reads, and asks nobody. */
export function toReviewSettings({
  sandboxSettings,
}: Pick<ResolvedConfig, "sandboxSettings">): Required<
  Pick<ThreadChange, "sandboxSettings" | "approvalPolicy" | "approvalQuestions">
> {
  return {
    sandboxSettings: { ...sandboxSettings, mode: "read-only" },
    approvalPolicy: "never",
    approvalQuestions: null,
  };
}
