import type { TurnError } from "@unroll/protocol";
import { expandTabs, type Role, type StyledLine } from "@unroll/screen";
import { type Cell, type NoticeEvent, plainStyle, renderCell, summarizeQuestion } from "@unroll/view";
import type { CellOptions } from "../cell-options.ts";
import { dim } from "../item/render-reasoning.ts";
import { indentLines } from "../line/indent-lines.ts";
import { renderLiteral } from "../markdown/render-markdown.ts";
import { renderMarkdown } from "../markdown/render-source.ts";

/** Something that is told once, or that the person was asked: the words of the view, and what they can do. */
export function renderNotice(
  cell: Exclude<Cell, { readonly type: "item" | "input" }>,
  options: CellOptions,
): readonly StyledLine[] {
  if (cell.type === "question" && cell.question === "model.questions") return []; // the call says it, with the answers
  if (cell.type === "question" && options.detail === "folded") return toLines(summarizeQuestion(cell), "muted");
  const text = renderCell(cell, { style: plainStyle, showReasoning: false, cwd: options.cwd });
  if (text === null) return [];
  if (cell.type === "question") return toLines(text, "accent");
  return [...toLines(text, toRole(cell.event)), ...renderMore(cell.event, options)];
}

/** What the view leaves out: the remedy of an error, and in full the summary of a compaction. */
function renderMore(event: NoticeEvent, { libraries, columns, detail }: CellOptions): readonly StyledLine[] {
  if (event.type === "turn.failed") {
    const remedy = findRemedy(event.error);
    return remedy === null ? [] : toLines(`\n${remedy}`, "accent").slice(1);
  }
  if (event.type !== "compaction.completed" || detail !== "whole") return [];
  return renderMarkdown(event.summary ?? "", { ...libraries, columns }).map(dim);
}

/** Its further lines stand further in. */
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
      return "warning";
    case "compaction.completed":
    case "context_window.updated":
    case "turn.completed":
      return "muted";
  }
}

/** What the person can do in this program, where the message cannot know it; null: the message says it. */
function findRemedy({ code }: TurnError): string | null {
  return Object.hasOwn(remedies, code) ? (remedies[code] ?? null) : null;
}

const remedies: Readonly<Record<string, string>> = {
  interrupted: "Tell the agent what to do instead, or to continue.",
  context_length_exceeded: "/compact shortens the conversation, /new begins another one.",
  budget_exhausted: "/status shows the limits; another message begins a turn with a budget of its own.",
  journal_failed:
    "Your message is in the history (Up). Make room, or CODEX_HOME another place; unroll --ephemeral goes on without keeping anything.",
  repeated_calls: "Say what it should try instead; /rewind goes back to an earlier message.",
  connection_failed: "The conversation is kept: send the message again when the network is back.",
  stream_cut: "The conversation is kept: ask it to go on.",
  insufficient_quota: "The conversation is kept: unroll resume -c model_provider=NAME goes on with another provider.",
  usage_limit_reached: "/model takes another model.",
};
