import { countBytes } from "@unroll/text";
import type { McpAnnouncement } from "@unroll/protocol";
import { describeTool, nameTool } from "./describe-tool.ts";

/** About 6,000 tokens. */
const announcementBytes = 24_000;

const heading =
  "<mcp_tools>\nThese tools of MCP servers are not in your list of tools, which stays as it is. Call them with mcp_call. Where no input schema is shown, mcp_search shows it.\n";
const closing = "</mcp_tools>";

/**
 * The message that tells the model of tools that its list does not hold; of at most `maxBytes`, which has to be 1,000 or
 * more. Names come first, then as many descriptions and input schemas as there is room for. Tools of servers that were
 * left out for their size are named only. Empty where there is nothing to tell.
 */
export function renderMcpAnnouncements(
  announcements: readonly McpAnnouncement[],
  maxBytes: number = announcementBytes,
): string {
  const tools = announcements.flatMap((each) => each.tools.map((tool) => ({ tool, isLarge: each.reason === "size" })));
  if (tools.length === 0) return "";
  const lastLine = (missing: number): string => `${missing} more tools: mcp_search finds them.\n`;
  let room = maxBytes - countBytes(heading + lastLine(tools.length) + closing);

  const named = tools.filter(({ tool }) => {
    room -= lineLength(nameTool(tool));
    return room >= 0;
  });
  room = Math.max(room, 0);
  const lines = named.map(({ tool, isLarge }) => {
    const extra = lineLength(describeTool(tool)) - lineLength(nameTool(tool));
    if (isLarge || extra > room) return nameTool(tool);
    room -= extra;
    return describeTool(tool);
  });
  const missing = tools.length - named.length;
  return `${heading}${lines.map((line) => `${line}\n`).join("")}${missing > 0 ? lastLine(missing) : ""}${closing}`;
}

function lineLength(line: string): number {
  return countBytes(line) + 1;
}
