import type { Review, ReviewTarget } from "./review.ts";

/** As Markdown, by priority. */
export function renderReview({ findings, summary }: Review): string {
  const parts = findings.map(({ title, body, priority, file, line }) => {
    const place = line === 0 ? file : `${file}:${line}`;
    return `**P${priority} ${title}**\n\`${place}\`\n\n${body}`;
  });
  return [...(parts.length === 0 ? ["No findings."] : parts), summary].join("\n\n");
}

/** The target in a sentence, behind a verb. */
export function describeReviewTarget(target: ReviewTarget): string {
  switch (target.type) {
    case "uncommitted":
      return "the uncommitted changes";
    case "branch":
      return `the changes against ${target.branch}`;
    case "commit":
      return `the commit ${target.commit}`;
    case "custom":
      return "your request";
  }
}
