import { isAbsolute, relative } from "node:path";
import type { CommandExecutionThreadItem, McpToolCallThreadItem, ThreadItem } from "@unroll/protocol";
import { toPlainText } from "@unroll/text";
import type { TextStyle } from "./text-style.ts";

/** Lines of a command's output that are shown; the model sees more. */
const shownOutputLines = 12;

/** How items are shown. */
export interface ItemView {
  readonly style: TextStyle;
  readonly showReasoning: boolean;
  /** Files in it are shown by their relative paths. */
  readonly cwd: string;
}

/** What is shown of an item when it begins; null: nothing yet. */
export function renderStart(item: ThreadItem, view: ItemView): string | null {
  switch (item.type) {
    case "command_execution":
      return `${view.style("bold", "$")} ${toPlainText(item.command)}`;
    case "todo_list":
      return renderItem(item, view);
    default:
      return null;
  }
}

/** What an item has come to; null where there is nothing to show. */
export function renderItem(item: ThreadItem, view: ItemView): string | null {
  const { style } = view;
  switch (item.type) {
    case "command_execution":
      return renderResult(item, style);
    case "reasoning":
      return view.showReasoning ? style("dim", toPlainText(item.text)) : null;
    case "file_change": {
      const marks = { add: "A", delete: "D", update: "M" };
      const verb = item.status === "completed" ? style("green", "patched") : style("red", `patch ${item.status}`);
      return [
        verb,
        ...item.changes.map(({ path, kind }) => `  ${marks[kind]} ${toPlainText(shorten(path, view.cwd))}`),
      ].join("\n");
    }
    case "todo_list":
      return item.items
        .map(({ text, completed }) => `  ${completed ? style("green", "✓") : "○"} ${toPlainText(text)}`)
        .join("\n");
    case "web_search":
      return `${style("cyan", "searched")} ${toPlainText(item.query)}`;
    case "mcp_tool_call":
      return renderMcpCall(item, style);
    case "image_view":
      return `${style("cyan", "viewed")} ${toPlainText(shorten(item.path, view.cwd))}`;
    case "tool_call":
      return `${style("cyan", "called")} ${toPlainText(item.tool)} (${item.status})`;
    case "error":
      return `${style("red", "error:")} ${toPlainText(item.message)}`;
    case "agent_message":
      return null;
  }
}

function renderMcpCall({ server, tool, status, error, progress }: McpToolCallThreadItem, style: TextStyle): string {
  const name = toPlainText(`${server}.${tool}`);
  if (status === "in_progress") {
    const { done = 0, total = null, message = null } = progress ?? {};
    return style(
      "dim",
      `  ${name}: ${done}${total === null ? "" : ` of ${total}`} ${toPlainText(message ?? "")}`.trimEnd(),
    );
  }
  if (status === "completed") return `${style("cyan", "called")} ${name}`;
  return `${style("red", `call ${status}`)} ${name}: ${toPlainText(error?.message ?? "it did not end")}`;
}

function renderResult(item: CommandExecutionThreadItem, style: TextStyle): string {
  const lines = toPlainText(item.aggregated_output).trimEnd().split("\n");
  const hidden = lines.length - shownOutputLines;
  const shown = lines.slice(-shownOutputLines).map((line) => style("dim", `  ${line}`));
  if (hidden > 0) shown.unshift(style("dim", `  … ${hidden} lines before`));
  const exit = item.exit_code === null ? item.status : `exit ${item.exit_code}`;
  const mark = item.status === "completed" ? style("green", `  ${exit}`) : style("red", `  ${exit}`);
  return lines.join("") === "" ? mark : [...shown, mark].join("\n");
}

function shorten(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return isAbsolute(path) && !short.startsWith("..") && short !== "" ? short : path;
}
