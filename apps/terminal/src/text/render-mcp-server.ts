import { estimateToolTokens } from "@unroll/mcp";
import type { McpServerStatus } from "@unroll/protocol";
import { shortenText, toShownText } from "@unroll/text";

/** Of a tool's description. */
const shownCharacters = 80;

/** A server as a person at a terminal reads it: its state, its tools, and what each costs in every request, in tokens. */
export function renderMcpServer(server: McpServerStatus): string {
  return toShownText([renderHead(server), ...renderTools(server)].join("\n"));
}

function renderHead({ id, state, tools, tokens, failure }: McpServerStatus): string {
  if (state !== "ready")
    return `${id}: ${state}\n  ${(failure?.message ?? "It was not waited for.").replaceAll("\n", "\n  ")}`;
  return `${id}: ready, ${tools.length} tools, about ${tokens} tokens in every request`;
}

function renderTools({ tools }: McpServerStatus): readonly string[] {
  const width = Math.max(0, ...tools.map(({ tool }) => tool.length));
  return tools.map((tool) => {
    const [summary = ""] = tool.description.split("\n");
    return `  ${tool.tool.padEnd(width)}  ${String(estimateToolTokens(tool)).padStart(6)}  ${shortenText(summary, shownCharacters)}`.trimEnd();
  });
}
