import type { Review } from "./parse-review.ts";

/** As Markdown, by priority. */
export function renderReview({ findings, summary }: Review): string {
  const parts = findings.map(({ title, body, priority, file, line }) => {
    const place = line === 0 ? file : `${file}:${line}`;
    return `**P${priority} ${title}**\n\`${place}\`\n\n${body}`;
  });
  return [...(parts.length === 0 ? ["No findings."] : parts), summary].join("\n\n");
}
