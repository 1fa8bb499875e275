import type { TurnError } from "@unroll/protocol";
import { expandTabs, type Role, type StyledLine } from "@unroll/screen";
import { type Cell, type NoticeEvent, plainStyle, renderCell, summarizeQuestion } from "@unroll/view";
import type { CellOptions } from "../cell-options.ts";
import { dim } from "../item/render-reasoning.ts";
import { indentLines } from "../line/indent-lines.ts";
import { renderLiteral } from "../markdown/render-markdown.ts";
import { renderMarkdown } from "../markdown/render-source.ts";

/** A notice or a question as lines: the text of `view`, and below it what you can do in this program. */
export function renderNotice(
  cell: Exclude<Cell, { readonly type: "item" | "input" }>,
  options: CellOptions,
): readonly StyledLine[] {
  if (cell.type === "question" && cell.question === "model.questions") return []; // its tool call shows the question with your answers
  if (cell.type === "question" && options.detail === "folded") return toLines(summarizeQuestion(cell), "muted");
  const text = renderCell(cell, { style: plainStyle, showReasoning: false, cwd: options.cwd });
  if (text === null) return [];
  if (cell.type === "question") return toLines(text, "accent");
  return [...toLines(text, toRole(cell.event)), ...renderMore(cell.event, options)];
}

/** Lines that `view` does not have: the remedy for an error, and on a page the summary of a compaction. */
function renderMore(event: NoticeEvent, { libraries, columns, detail }: CellOptions): readonly StyledLine[] {
  if (event.type === "turn.failed") {
    const remedy = findRemedy(event.error);
    return remedy === null ? [] : toLines(`\n${remedy}`, "accent").slice(1);
  }
  if (event.type !== "compaction.completed" || detail !== "whole") return [];
  return renderMarkdown(event.summary ?? "", { ...libraries, columns }).map(dim);
}

/** Lines after the first are indented. */
function toLines(text: string, role: Role): readonly StyledLine[] {
  const indent = { first: [], next: [{ text: "  " }] };
  return indentLines(renderLiteral(expandTabs(text), [role]), indent);
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
    case "host.denied":
      return "warning";
    case "compaction.completed":
    case "context_window.updated":
    case "sandbox.updated":
    case "turn.completed":
      return "muted";
  }
}

/** Advice for this program's user that the message itself cannot give; null: none. */
function findRemedy({ code }: TurnError): string | null {
  return Object.hasOwn(remedies, code) ? (remedies[code] ?? null) : null;
}

const remedies: Readonly<Record<string, string>> = {
  interrupted: "Tell the agent what to do instead, or to continue.",
  context_length_exceeded: "/compact makes room in this thread; /new starts another one.",
  budget_exhausted: "/status shows the limits. Your next message starts a turn with a new budget.",
  journal_failed:
    "Your message is in the history (press Up). Free disk space, move CODEX_HOME, or continue unsaved with `unroll --ephemeral`.",
  repeated_calls: "Tell the agent what to try instead, or use /rewind to go back to an earlier message.",
  connection_failed: "The thread is saved. Send the message again when the network is back.",
  stream_cut: "The thread is saved. Ask the agent to continue.",
  insufficient_quota: "The thread is saved. `unroll resume -c model_provider=NAME` continues with another provider.",
  usage_limit_reached: "/model switches to another model.",
};
