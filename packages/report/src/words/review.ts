/** The target of a review. */
export type ReviewTarget =
  /** Uncommitted changes, with new files. */
  | { readonly type: "uncommitted" }
  /** The changes that a merge into this branch would bring. */
  | { readonly type: "branch"; readonly branch: string }
  | { readonly type: "commit"; readonly commit: string }
  /** In the user's own words. */
  | { readonly type: "custom"; readonly text: string };

/** The result of a review. */
export interface Review {
  /** By priority, the most important first. */
  readonly findings: readonly ReviewFinding[];
  readonly summary: string;
}

interface ReviewFinding {
  readonly title: string;
  readonly body: string;
  /** 0 to 3; 0 is the most important. */
  readonly priority: number;
  readonly file: string;
  /** From 1; 0: no line is named. */
  readonly line: number;
}
