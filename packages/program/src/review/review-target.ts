/** What a review looks at. */
export type ReviewTarget =
  /** What is not committed, new files too. */
  | { readonly type: "uncommitted" }
  /** What a merge into this branch would bring. */
  | { readonly type: "branch"; readonly branch: string }
  | { readonly type: "commit"; readonly commit: string }
  /** Whatever the person says. */
  | { readonly type: "custom"; readonly text: string };

/** The target as a person calls it. */
export function describeReviewTarget(target: ReviewTarget): string {
  switch (target.type) {
    case "uncommitted":
      return "the changes that are not committed";
    case "branch":
      return `the changes against ${target.branch}`;
    case "commit":
      return `the commit ${target.commit}`;
    case "custom":
      return "what was asked for";
  }
}
