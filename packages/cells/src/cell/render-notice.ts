import type { StyledLine } from "@unroll/screen";
import { expandTabs, type Role } from "@unroll/screen";
import { type Cell, type NoticeEvent, plainStyle, renderCell } from "@unroll/view";
import type { CellOptions } from "./cell-options.ts";
import { indentLines } from "../line/indent-lines.ts";
import { toSpan } from "../line/plain-line.ts";
import { renderLiteral } from "../markdown/render-markdown.ts";
import { findRemedy } from "./find-remedy.ts";

/** Something that is told once, or that the person was asked: the words of the view, with what to do. */
export function renderNotice(
  cell: Exclude<Cell, { readonly type: "item" }>,
  { cwd }: CellOptions,
): readonly StyledLine[] {
  const text = renderCell(cell, { style: plainStyle, showReasoning: false, cwd });
  if (text === null) return [];
  if (cell.type === "question") return toLines(text, "accent");
  const remedy = cell.event.type === "turn.failed" ? findRemedy(cell.event.error) : null;
  const lines = toLines(text, toRole(cell.event));
  return remedy === null
    ? lines
    : [...lines, { spans: [toSpan(`  ${remedy}`, ["accent"])], wrap: "words", hanging: [{ text: "  " }] }];
}

function toLines(text: string, role: Role): readonly StyledLine[] {
  const [first = "", ...others] = text.split("\n");
  const lines = [toSpan(expandTabs(first), [role])];
  return indentLines(
    [{ spans: lines, wrap: "words" }, ...renderLiteral(others.join("\n"), [role]).filter(() => others.length > 0)],
    {
      first: [],
      next: [{ text: "  " }],
    },
  );
}

function toRole(event: NoticeEvent): Role {
  switch (event.type) {
    case "warning":
    case "request.completed":
    case "compaction.started":
    case "epoch.opened":
    case "events.skipped":
      return "warning";
    case "turn.failed":
      return event.error.code === "interrupted" ? "warning" : "error";
    case "mcp.server_updated":
      return event.state.type === "failed" ? "error" : event.state.type === "ready" ? "muted" : "warning";
    case "mcp.tool_adapted":
      return "warning";
    case "compaction.completed":
    case "turn.completed":
      return "muted";
  }
}
