import type { AgentMessageThreadItem } from "@unroll/protocol";
import type { StyledLine } from "@unroll/screen";
import type { CellOptions } from "../cell-options.ts";
import { toSpan } from "../line/plain-line.ts";
import { renderMarkdown } from "../markdown/render-source.ts";

/** A whole answer. */
export function renderMessage(item: AgentMessageThreadItem, options: CellOptions): readonly StyledLine[] {
  return [...renderMarkdown(item.text, { ...options.libraries, columns: options.columns }), ...renderCut(item.cut)];
}

/** Where an answer ends before its end. */
export function renderCut(cut: AgentMessageThreadItem["cut"]): readonly StyledLine[] {
  if (cut === undefined) return [];
  const why = { interrupted: "it was interrupted", incomplete: "the model stopped before its end" };
  return [{ spans: [toSpan(`[…] cut off: ${why[cut]}`, ["warning"])], wrap: "words" }];
}
