import type { McpServerUpdatedEvent, McpToolAdaptedEvent } from "@unroll/protocol";
import { toShownText } from "@unroll/text";
import type { TextStyle } from "./text-style.ts";

/** One line on an MCP server; null for what a person need not know. */
export function renderServer({ server: id, state }: McpServerUpdatedEvent, style: TextStyle): string | null {
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
export function renderAdaptedTool(
  { server, tool, name, reason }: McpToolAdaptedEvent,
  style: TextStyle,
): string | null {
  if (name !== null) return null;
  return style("yellow", toShownText(`mcp: ${server}: left out ${tool}: ${reason}`));
}

/** The whole is in the server's log. */
function renderLastWords(stderr: string): string {
  const line = toShownText(stderr).trimEnd().split("\n").at(-1) ?? "";
  return line === "" ? "" : ` Its last line on stderr: ${line}`;
}
