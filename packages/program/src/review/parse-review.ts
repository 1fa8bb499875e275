/** What a review came to. */
export interface Review {
  /** What matters most first. */
  readonly findings: readonly ReviewFinding[];
  readonly summary: string;
}

interface ReviewFinding {
  readonly title: string;
  readonly body: string;
  /** 0 to 3; 0 matters most. */
  readonly priority: number;
  readonly file: string;
  /** From 1; 0: no line is named. */
  readonly line: number;
}

/** Of an answer that was checked against `reviewSchema`; null where it is no such answer. */
export function parseReview(answer: string): Review | null {
  try {
    const value = JSON.parse(answer) as Partial<Review> | null;
    if (typeof value?.summary !== "string" || !Array.isArray(value.findings)) return null;
    const { summary, findings } = value as Review;
    return { summary, findings: findings.toSorted((a, b) => a.priority - b.priority) };
  } catch {
    return null;
  }
}
