import { expandTabs, type Span, type StyledLine } from "@unroll/screen";
import { toShownText } from "@unroll/text";
import { toSpan } from "../line/plain-line.ts";

/** A result with its reason; other lines of the reason go below. */
export function renderReason(head: Span, reason: string | null, separator: string = ": "): readonly StyledLine[] {
  if (reason === null || reason.trim() === "") return [{ spans: [head], wrap: "words" }];
  const [first = "", ...others] = toShownText(reason)
    .trim()
    .split("\n")
    .map((line) => expandTabs(line));
  const indent = [{ text: "    " }];
  return [
    { spans: [head, toSpan(`${separator}${first}`)], wrap: "words", hanging: indent },
    ...others.map((line): StyledLine => ({ spans: [...indent, toSpan(line)], wrap: "words", hanging: indent })),
  ];
}
