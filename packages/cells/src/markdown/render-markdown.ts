import { expandTabs, type Role, type Span, type StyledLine } from "@unroll/screen";
import type { Highlighter } from "../code/highlighter.ts";
import { renderCode } from "../code/render-code.ts";
import { indentLines } from "../line/indent-lines.ts";
import { emptyLine, toSpan } from "../line/plain-line.ts";
import type { Inline, ListItem, MarkdownBlock } from "./markdown-tree.ts";
import { renderInlines } from "./render-inline.ts";
import { renderTable } from "./render-table.ts";

export interface MarkdownOptions {
  readonly highlighter: Highlighter;
  /** Cells that a line may take; tables are fitted to it. */
  readonly columns: number;
}

export function renderBlocks(blocks: readonly MarkdownBlock[], options: MarkdownOptions): readonly StyledLine[] {
  return blocks.flatMap((block, at) => {
    const lines = renderBlock(block, options);
    return block.hasGap && at > 0 ? [emptyLine, ...lines] : lines;
  });
}

function renderBlock(block: MarkdownBlock, options: MarkdownOptions): readonly StyledLine[] {
  switch (block.type) {
    case "heading":
      return renderHeading(block.content, block.depth);
    case "paragraph":
      return toLines(renderInlines(block.content));
    case "code":
      return renderCode(block, options.highlighter);
    case "quote": {
      const mark = [toSpan("▌ ", ["quote"])];
      const inner = renderBlocks(block.blocks, { ...options, columns: options.columns - 2 });
      return indentLines(inner, { first: mark, next: mark });
    }
    case "list":
      return block.items.flatMap((item, at) => {
        const lines = renderItem(item, options);
        return item.hasGap && at > 0 ? [emptyLine, ...lines] : lines;
      });
    case "table":
      return renderTable(block, options.columns);
    case "rule":
      return [{ spans: [toSpan("─".repeat(Math.min(20, options.columns)), ["muted"])], wrap: "verbatim" }];
    case "literal":
      return renderLiteral(block.text);
  }
}

/** The mark stays: without colours it is what tells a heading. */
function renderHeading(content: readonly Inline[], depth: number): readonly StyledLine[] {
  const mark = toSpan(`${"#".repeat(depth)} `, ["heading"]);
  const lines = renderInlines(content, ["heading"]);
  return lines.map((spans, at) => ({ spans: at === 0 ? [mark, ...spans] : spans, wrap: "words" }));
}

const taskMarks = { open: "☐ ", done: "☑ " };

function renderItem({ marker, task, blocks }: ListItem, options: MarkdownOptions): readonly StyledLine[] {
  const bullet = `${/^\d/.test(marker) ? marker : "•"} `;
  const taskMark: readonly Span[] = task === null ? [] : [toSpan(taskMarks[task], task === "done" ? ["success"] : [])];
  const width = bullet.length + (task === null ? 0 : 2);
  const inner = renderBlocks(blocks, { ...options, columns: options.columns - width });
  return indentLines(inner.length === 0 ? [emptyLine] : inner, {
    first: [toSpan(bullet, ["accent"]), ...taskMark],
    next: [{ text: " ".repeat(width) }],
  });
}

/** Text as it was written, line by line. */
export function renderLiteral(text: string, roles: readonly Role[] = []): readonly StyledLine[] {
  return text
    .split("\n")
    .map((line) => ({ spans: line === "" ? [] : [toSpan(expandTabs(line), roles)], wrap: "words" }));
}

function toLines(lines: readonly (readonly Span[])[]): readonly StyledLine[] {
  return lines.map((spans) => ({ spans, wrap: "words" }));
}
