import type { CompactionPreview } from "@unroll/harness";
import { showHidden } from "@unroll/text";
import { renderItem } from "./render-sent-item.ts";

/** What stays, in the order in which it is sent. */
export function renderPreview(found: CompactionPreview): string {
  const { tokensBefore, tokensAfter } = found;
  if (found.type === "too_little")
    return `It would be left as it is: of about ${tokensBefore} tokens at least about ${tokensAfter} would remain.`;
  const { userMessages, steps } = found.kept;
  const lines = [
    `About ${tokensBefore} tokens now, about ${tokensAfter} when it is shortened (estimates).`,
    `Stays word for word: ${userMessages.kept} of ${userMessages.all} messages of yours, the last ${steps.kept} of ${steps.all} steps:`,
    "",
    ...found.before.flatMap(renderItem),
    "(the summary)",
    ...found.after.flatMap(renderItem),
  ];
  return lines.map((line) => showHidden(line)).join("\n");
}
