import type { ResolvedConfig } from "@unroll/config";
import type { ThreadChange } from "@unroll/harness";
import type { JsonSchema } from "@unroll/protocol";
import { explainForeignOwner, explainNoRepository, type GitPlace, queryGit } from "@unroll/process-tree";
import type { ReviewTarget } from "@unroll/report";
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

/** Why there is no review, as a sentence. */
export interface ReviewRefusal {
  readonly type: "refused";
  readonly message: string;
}

/** `git rev-parse --verify` exits with 1 when it looked and found nothing, and with this one without a repository. */
const noRepository = 128;

/**
 * Checks that git knows the target; without git, the model finds out. A clone in CI often has a branch only as `origin` has it:
 * then that one is the target.
 */
export async function prepareReview(
  target: ReviewTarget,
  { focus = "", ...place }: ReviewPlace,
): Promise<PreparedReview | ReviewRefusal> {
  for (const each of listCandidates(target)) {
    const name = toName(each);
    const question = name === null ? ["--git-dir"] : ["--verify", "-q", "--end-of-options", `${name}^{commit}`];
    const result = each.type === "custom" ? null : await queryGit(["rev-parse", ...question], place);
    const isOutside = name !== null && result?.code === noRepository;
    const message = result && (isOutside ? explainNoRepository : explainForeignOwner)(result, place.cwd);
    if (message !== null) return { type: "refused", message };
    if (result?.code !== 1)
      return { type: "ready", input: renderReviewTask(each, focus), outputSchema: reviewSchema, schemaRepairs: null };
  }
  return { type: "refused", message: `There is no ${target.type} ${toName(target) ?? ""} here.` };
}

function listCandidates(target: ReviewTarget): readonly ReviewTarget[] {
  return target.type === "branch" ? [target, { type: "branch", branch: `origin/${target.branch}` }] : [target];
}

/** Null: git has no name for the target. */
function toName(target: ReviewTarget): string | null {
  switch (target.type) {
    case "uncommitted":
    case "custom":
      return null;
    case "branch":
      return target.branch;
    case "commit":
      return target.commit;
  }
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
