import { countBytes } from "@unroll/text";
import type { McpAnnouncement, McpTool } from "@unroll/protocol";
import { describeTool, nameTool, type ToolNaming } from "./describe-tool.ts";

export interface AnnouncementOptions {
  /** Whether the thread's list has the tools of the gateway (`mcp_call`, `mcp_search`): what it has not is not named. */
  readonly hasGateway: boolean;
  /** Limit of the message, 1,000 or more. Absent: 24,000, which is about 6,000 tokens. */
  readonly maxBytes?: number;
}

const opening = "<mcp_tools>\n";
const closing = "</mcp_tools>";

/** A tool in the message; `full` null: there is no more to say of it than its name. */
interface Line {
  readonly part: Part;
  readonly name: string;
  readonly full: string | null;
}

/** In the order of the message: what no longer works, before what works otherwise, before what is new. */
type Part = "removed" | "changed" | "added";
const parts: readonly Part[] = ["removed", "changed", "added"];

type Headings = Readonly<Record<Part, string>>;

const changes = {
  removed: "These tools of MCP servers no longer exist. Do not call them, even if your list of tools shows them.\n",
  changed:
    "These tools of MCP servers now take other arguments. Call them as before, with the input schema shown here.\n",
};
const withGateway: Headings = {
  ...changes,
  added:
    "These tools of MCP servers are not in your list of tools, which stays as it is. Call them with mcp_call. Where no input schema is shown, mcp_search shows it.\n",
};
const withoutGateway: Headings = {
  ...changes,
  added:
    "These tools of MCP servers are not in your list of tools, which stays as it is. You can call each by its name all the same.\n",
};

/**
 * The message that tells the model how the tools of MCP servers differ from what it knows. Names come before all else, then as many
 * descriptions and input schemas as there is room for. Tools of servers that were left out for their size are named only. Empty
 * where there is nothing to tell.
 */
export function renderMcpAnnouncements(
  announcements: readonly McpAnnouncement[],
  options: AnnouncementOptions,
): string {
  const { hasGateway, maxBytes = 24_000 } = options;
  const lines = parts.flatMap((part) => announcements.flatMap((each) => toLines(each, part, options)));
  if (lines.length === 0) return "";
  const headings = hasGateway ? withGateway : withoutGateway;
  const lastLine = (missing: number): string =>
    hasGateway ? `${missing} more: mcp_search shows which tools there are.\n` : `${missing} more.\n`;
  const used = parts.filter((part) => lines.some((line) => line.part === part));
  let room =
    maxBytes - countBytes([opening, ...used.map((part) => headings[part]), lastLine(lines.length), closing].join(""));

  const named = lines.filter(({ name }) => {
    room -= countBytes(name) + 1;
    return room >= 0;
  });
  room = Math.max(room, 0);
  const shown = named.map(({ part, name, full }) => {
    const extra = full === null ? 0 : countBytes(full) - countBytes(name);
    if (full === null || extra > room) return { part, text: name };
    room -= extra;
    return { part, text: full };
  });
  const texts = used.map((part) => {
    const own = shown.filter((line) => line.part === part);
    return own.length === 0 ? "" : headings[part] + own.map(({ text }) => `${text}\n`).join("");
  });
  const missing = lines.length - named.length;
  return [opening, ...texts, missing > 0 ? lastLine(missing) : "", closing].join("");
}

function toLines(
  { reason, removed, changed, added }: McpAnnouncement,
  part: Part,
  { hasGateway }: AnnouncementOptions,
): readonly Line[] {
  const naming: ToolNaming = hasGateway ? "through_gateway" : "by_name";
  const toLine = (tool: McpTool, how: ToolNaming): Line => ({
    part,
    name: nameTool(tool, how),
    full: describeTool(tool, how),
  });
  switch (part) {
    case "removed":
      return removed.map((tool) => ({ part, name: nameTool(tool, "by_name"), full: null }));
    case "changed":
      return changed.map((tool) => toLine(tool, "by_name"));
    case "added":
      return added.map((tool) => ({ ...toLine(tool, naming), ...(reason === "size" && { full: null }) }));
  }
}
