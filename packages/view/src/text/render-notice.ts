import type {
  CompactionStartedEvent,
  ContextWindowUpdatedEvent,
  McpServerUpdatedEvent,
  McpToolAdaptedEvent,
  RequestCache,
} from "@unroll/protocol";
import { groupDigits, toShownText } from "@unroll/text";
import type { RenderOptions, TextStyle } from "./text-style.ts";
import type { NoticeEvent } from "../thread/cell.ts";
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

/** `cache missed: 41,200 tokens were sent before and read anew (the request before was 22 min ago: …)` */
function renderMiss({ miss, shared_tokens: shared, cached_tokens: cached }: RequestCache): string {
  const why = miss === null ? "" : ` (${toShownText(miss.cause)})`;
  return `cache missed: ${groupDigits(shared - (cached ?? 0))} tokens were sent before and read anew${why}`;
}

/** One line on an MCP server; null for what a person need not know. */
function renderServer({ server: id, state }: McpServerUpdatedEvent, style: TextStyle): string | null {
  const server = toShownText(id);
  switch (state.type) {
    case "starting":
    case "tools_changed":
      return null;
    case "ready":
      return style("dim", `mcp: ${server} is ready: ${state.tools} tools, about ${state.tokens} tokens a request`);
    case "delayed":
      return style("yellow", `mcp: ${server} is still starting; its tools come later (--wait-mcp waits for them)`);
    case "left_out":
      return style(
        "yellow",
        `mcp: the tools of ${server} are found by search: their ${state.tokens} tokens are too many for the ${state.max_tokens} of mcp_tool_schema_tokens`,
      );
    case "failed":
      return `${style("red", "mcp:")} ${toShownText(state.message)}${renderLastWords(state.stderr_tail)}`;
    case "closed":
      return style("yellow", `mcp: ${toShownText(state.message)}`);
  }
}

/** Only what is left out: a tool under another name works. */
function renderAdaptedTool({ server, tool, name, reason }: McpToolAdaptedEvent, style: TextStyle): string | null {
  if (name !== null) return null;
  return style("yellow", toShownText(`mcp: ${server}: left out ${tool}: ${reason}`));
}

/** The whole is in the server's log. */
function renderLastWords(stderr: string): string {
  const line = toShownText(stderr).trimEnd().split("\n").at(-1) ?? "";
  return line === "" ? "" : ` Its last line on stderr: ${line}`;
}
