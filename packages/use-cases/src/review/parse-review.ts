import type { Review } from "@unroll/report";

/** Reads an answer that was checked against the schema of reviews; null where it is something else. */
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
