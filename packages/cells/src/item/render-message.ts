import type { AgentMessageThreadItem } from "@unroll/protocol";
import type { StyledLine } from "@unroll/screen";
import type { CellOptions } from "../cell-options.ts";
import type { LinePart } from "../line/open-parts.ts";
import { toSpan } from "../line/plain-line.ts";
import { splitMarkdownParts } from "../markdown/render-source.ts";

/** A whole answer, block by block. */
export function splitMessageParts(
  { text, cut }: AgentMessageThreadItem,
  { libraries, columns }: CellOptions,
): readonly LinePart[] {
  return [...splitMarkdownParts(text, { ...libraries, columns }), () => renderCut(cut)];
}

/** A line below an answer that was cut off, with the reason. */
export function renderCut(cut: AgentMessageThreadItem["cut"]): readonly StyledLine[] {
  if (cut === undefined) return [];
  const why = { interrupted: "interrupted", incomplete: "the model stopped early" };
  return [{ spans: [toSpan(`[…] cut off: ${why[cut]}`, ["warning"])], wrap: "words" }];
}
