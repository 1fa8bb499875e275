import type { ThreadItem, TodoListThreadItem } from "@unroll/protocol";
import { expandTabs, type Role, type StyledLine } from "@unroll/screen";
import { toShownText } from "@unroll/text";
import { shortenPath } from "@unroll/view";
import type { CellOptions } from "../cell-options.ts";
import { renderMcpCall, renderToolCall } from "./render-call.ts";
import { renderCommand, renderRunningCommand } from "./render-command.ts";
import { splitMessageParts } from "./render-message.ts";
import { renderPatch, renderRunningPatch } from "./render-patch.ts";
import { renderReason } from "./render-reason.ts";
import { renderReasoning } from "./render-reasoning.ts";
import { indentLines } from "../line/indent-lines.ts";
import type { LinePart } from "../line/open-parts.ts";
import { toSpan } from "../line/plain-line.ts";
import { renderLiteral } from "../markdown/render-markdown.ts";

export interface ItemState {
  readonly isFinished: boolean;
  /** The time in ms since 1970, to show how long an item has been running; null: not shown. */
  readonly now: number | null;
}

/** An item as lines, running or finished. Empty: nothing is shown. */
export function renderItem(item: ThreadItem, state: ItemState, options: CellOptions): readonly StyledLine[] {
  const { isFinished } = state;
  const elapsedMs = measureItem(item, state.now);
  switch (item.type) {
    case "agent_message":
      return splitMessageParts(item, options).flatMap((draw) => draw("colored"));
    case "reasoning":
      return renderReasoning(item.text, options);
    case "command_execution":
      return (isFinished ? renderCommand : renderRunningCommand)(item, elapsedMs, options);
    case "file_change":
      return isFinished ? renderPatch(item, options) : renderRunningPatch(item, options);
    case "mcp_tool_call":
      return renderMcpCall(item, elapsedMs, options);
    case "tool_call":
      return renderToolCall(item, elapsedMs, options);
    case "image_view":
      return renderViewed(item, options);
    case "web_search":
      return item.status === "failed"
        ? renderNamed("web search failed: ", item.query, "error")
        : renderNamed("searched the web: ", item.query, "accent");
    case "todo_list":
      return renderPlan(item);
    case "error":
      return renderNamed("error: ", item.message, "error");
  }
}

/** How long a call took, or has been running at `now`, in ms; null: not known. */
export function measureItem(item: ThreadItem, now: number | null): number | null {
  if ("duration_ms" in item) return item.duration_ms ?? null;
  if (now === null || !("started_at" in item)) return null;
  return Math.max(0, now - item.started_at);
}

/** The same in parts that are drawn one by one: an answer can have any number of lines. */
export function splitItemParts(item: ThreadItem, state: ItemState, options: CellOptions): readonly LinePart[] {
  if (item.type === "agent_message") return splitMessageParts(item, options);
  const lines = renderItem(item, state, options);
  return [() => lines];
}

function renderViewed(
  { path, status, reason }: Extract<ThreadItem, { readonly type: "image_view" }>,
  { cwd }: CellOptions,
): readonly StyledLine[] {
  const name = expandTabs(toShownText(shortenPath(path, cwd)));
  if (status === "completed") return renderNamed("viewed ", name, "accent");
  const isRunning = status === "in_progress";
  const head = toSpan(`${isRunning ? "viewing" : "not viewed:"} ${name}`, [isRunning ? "muted" : "error"]);
  return renderReason(head, reason ?? null);
}

/** A name, and a text whose other lines are indented. */
function renderNamed(name: string, text: string, role: Role): readonly StyledLine[] {
  const indent = [{ text: "  " }];
  const lines = renderLiteral(toShownText(text).trimEnd());
  return indentLines(lines, { first: [toSpan(name, [role])], next: indent });
}

/** The plan as a checklist. The first step that is not done is the current one. */
function renderPlan({ items }: Pick<TodoListThreadItem, "items">): readonly StyledLine[] {
  const done = items.filter(({ completed }) => completed).length;
  const current = items.findIndex(({ completed }) => !completed);
  const steps = items.map(({ text, completed }, at): StyledLine => {
    const shown = expandTabs(toShownText(text).replaceAll("\n", " "));
    const [mark, look] = completed
      ? [toSpan("  ✓ ", ["success"]), toSpan(shown, ["muted"])]
      : at === current
        ? [toSpan("  ▸ ", ["accent"]), toSpan(shown, ["strong"])]
        : [toSpan("  ○ ", ["muted"]), toSpan(shown)];
    return { spans: [mark, look], wrap: "words", hanging: [{ text: "    " }] };
  });
  return [{ spans: [toSpan(`Plan: ${done} of ${items.length} done`, ["muted"])], wrap: "words" }, ...steps];
}
