import type { CompactionStartedEvent, ContextWindowUpdatedEvent } from "@unroll/protocol";
import { groupDigits, toShownText } from "@unroll/text";
import type { NoticeEvent } from "../thread/cell.ts";
import type { RenderOptions } from "./render-options.ts";
import { renderAdaptedTool, renderServer } from "./render-server.ts";
import { renderMiss } from "../usage/render-miss.ts";
import { renderUsage } from "../usage/render-usage.ts";

function renderCompactionStart({ cause, method, tokens }: CompactionStartedEvent): string {
  const how = method === "local" ? "the model writes a summary" : "the server shortens it";
  return `the conversation has about ${groupDigits(tokens)} tokens and is shortened: ${toShownText(cause)} (${how})`;
}

/** Null where nothing is another now. */
function renderWindow(
  { context_window: tokens, replaced }: ContextWindowUpdatedEvent,
  style: RenderOptions["style"],
): string | null {
  const before = groupDigits(replaced.context_window);
  if (tokens === replaced.context_window) return null;
  const was = replaced.origin === "guess" ? `${before} was a guess` : `not ${before}`;
  return style("dim", `context window: ${groupDigits(tokens)} tokens, says the server (${was})`);
}

/** Null for what a person need not know. */
export function renderNotice(event: NoticeEvent, { style }: Pick<RenderOptions, "style">): string | null {
  switch (event.type) {
    case "warning":
      return `${style("yellow", "warning:")} ${toShownText(event.message)}`;
    case "context_window.updated":
      return renderWindow(event, style);
    case "mcp.server_updated":
      return renderServer(event, style);
    case "mcp.tool_adapted":
      return renderAdaptedTool(event, style);
    case "request.completed":
      return style("yellow", renderMiss(event.cache));
    case "compaction.started":
      return style("yellow", renderCompactionStart(event));
    case "compaction.completed":
      return style(
        "dim",
        `shortened to about ${groupDigits(event.tokens_after)} tokens, from about ${groupDigits(event.tokens_before)}`,
      );
    case "epoch.opened": {
      const { cause, items, shared_items: shared } = event;
      const kept = `the provider's cache holds ${shared} of ${items} items`;
      return style("yellow", `the conversation is sent anew: ${toShownText(cause)} (${kept})`);
    }
    case "events.skipped":
      return style("yellow", `${event.count} events were too many to be shown`);
    case "turn.completed":
      // a conversation that was to be shortened, and was left as it is, asked nobody
      return event.usage.input_tokens === 0 ? null : style("dim", renderUsage(event.usage));
    case "turn.failed":
      if (event.error.code === "interrupted") return style("yellow", toShownText(event.error.message));
      return `${style("red", "error:")} ${toShownText(event.error.message)}`;
  }
}
