import { expandTabs, type Span, type StyledLine } from "@unroll/screen";
import { toShownText } from "@unroll/text";
import { toSpan } from "../line/plain-line.ts";

/** Why, behind what happened; its further lines stand below. */
export function renderReason(head: Span, reason: string | null): readonly StyledLine[] {
  if (reason === null || reason.trim() === "") return [{ spans: [head], wrap: "words" }];
  const [first = "", ...others] = toShownText(reason)
    .trim()
    .split("\n")
    .map((line) => expandTabs(line));
  const indent = [{ text: "    " }];
  return [
    { spans: [head, toSpan(`: ${first}`)], wrap: "words", hanging: indent },
    ...others.map((line): StyledLine => ({ spans: [...indent, toSpan(line)], wrap: "words", hanging: indent })),
  ];
}
