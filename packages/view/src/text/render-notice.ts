import type {
  CompactionStartedEvent,
  ContextWindowUpdatedEvent,
  McpServerUpdatedEvent,
  McpToolAdaptedEvent,
  RequestCache,
} from "@unroll/protocol";
import { groupDigits, pluralize, toShownText } from "@unroll/text";
import type { RenderOptions, TextStyle } from "./text-style.ts";
import { renderSandbox } from "./render-sandbox.ts";
import { describeAgents } from "./describe-agent.ts";
import type { NoticeEvent } from "../thread/cell.ts";
import { renderUsage } from "../usage/render-usage.ts";

function renderCompactionStart({ cause, method, tokens }: CompactionStartedEvent): string {
  const how = method === "local" ? "the model writes a summary" : "by the server";
  return `compacting about ${groupDigits(tokens)} tokens: ${toShownText(cause)} (${how})`;
}

/** Null: the size did not change. */
function renderWindow(
  { context_window: tokens, replaced }: ContextWindowUpdatedEvent,
  style: RenderOptions["style"],
): string | null {
  const before = groupDigits(replaced.context_window);
  if (tokens === replaced.context_window) return null;
  const was = replaced.origin === "guess" ? `${before} was a guess` : `it was ${before}`;
  return style("dim", `context window: ${groupDigits(tokens)} tokens, reported by the server (${was})`);
}

/** A notice as text; null: it is not worth a line. */
export function renderNotice(event: NoticeEvent, { style }: Pick<RenderOptions, "style">): string | null {
  switch (event.type) {
    case "warning":
      return `${style("yellow", "warning:")} ${toShownText(event.message)}`;
    case "context_window.updated":
      return renderWindow(event, style);
    case "sandbox.updated":
      return style("dim", renderSandbox(event.sandbox));
    case "mcp.server_updated":
      return renderServer(event, style);
    case "mcp.tool_adapted":
      return renderAdaptedTool(event, style);
    case "host.denied":
      return `${style("yellow", "host denied:")} ${toShownText(event.reason)}`;
    case "request.completed":
      return style("yellow", renderMiss(event.cache));
    case "compaction.started":
      return style("yellow", renderCompactionStart(event));
    case "compaction.completed":
      return style(
        "dim",
        `compacted from about ${groupDigits(event.tokens_before)} tokens to about ${groupDigits(event.tokens_after)}`,
      );
    case "epoch.opened": {
      const { cause, items, shared_items: shared } = event;
      const cached = `${shared} of ${pluralize(items, "item")} are still cached`;
      return style("yellow", `resending the thread: ${toShownText(cause)} (${cached})`);
    }
    case "events.skipped":
      return style("yellow", `skipped ${pluralize(event.count, "event")}: too many at once`);
    case "turn.completed":
      // a compaction that was not worth it sends no request
      if (event.usage.input_tokens === 0) return null;
      return style(
        "dim",
        [renderUsage(event.usage), describeAgents(event.agents ?? [])].filter((line) => line !== "").join("\n"),
      );
    case "turn.failed":
      if (event.error.code === "interrupted") return style("yellow", toShownText(event.error.message));
      return `${style("red", "error:")} ${toShownText(event.error.message)}`;
  }
}

/** `cache miss: 41,200 tokens were resent uncached (the request before was 22 min ago: …)` */
function renderMiss({ miss, shared_tokens: shared, cached_tokens: cached }: RequestCache): string {
  const why = miss === null ? "" : ` (${toShownText(miss.cause)})`;
  return `cache miss: ${pluralize(shared - (cached ?? 0), "token")} resent uncached${why}`;
}

/** One line about an MCP server; null: it is not worth one. */
function renderServer({ server: id, state }: McpServerUpdatedEvent, style: TextStyle): string | null {
  const server = toShownText(id);
  switch (state.type) {
    case "starting":
    case "tools_changed":
      return null;
    case "ready":
      return style(
        "dim",
        `mcp: ${server} is ready: ${pluralize(state.tools, "tool")}, about ${pluralize(state.tokens, "token")} per request`,
      );
    case "delayed":
      return style("yellow", `mcp: ${server} is still starting; its tools come later (use --wait-mcp to wait)`);
    case "left_out":
      return style(
        "yellow",
        `mcp: ${server}'s tools are only found by search: they take ${pluralize(state.tokens, "token")}, and mcp_tool_schema_tokens allows ${groupDigits(state.max_tokens)}`,
      );
    case "failed":
      return `${style("red", "mcp:")} ${toShownText(state.message)}${renderLastWords(state.stderr_tail)}`;
    case "closed":
      return style("yellow", `mcp: ${toShownText(state.message)}`);
  }
}

/** Null for a renamed tool: it works. */
function renderAdaptedTool({ server, tool, name, reason }: McpToolAdaptedEvent, style: TextStyle): string | null {
  if (name !== null) return null;
  return style("yellow", toShownText(`mcp: ${server}: skipped the tool ${tool}: ${reason}`));
}

/** Node.js writes where the error was thrown behind it, and its own version last. */
const namesError = /^(?!\s*at ).*\b(?:\w*(?:error|exception)|fatal|panic)\b/i;

/** The last line of its stderr that names an error, or else the last one; the server's log has all of it. */
function renderLastWords(stderr: string): string {
  const lines = toShownText(stderr).trimEnd().split("\n");
  const line = (lines.findLast((each) => namesError.test(each)) ?? lines.at(-1) ?? "").trim();
  return line === "" ? "" : ` From its stderr: ${line}`;
}
