import type {
  AgentMessageThreadItem,
  CommandExecutionThreadItem,
  FileChangeThreadItem,
  ItemStatus,
  McpToolCallThreadItem,
  ThreadItem,
  TodoListThreadItem,
  ToolCallThreadItem,
} from "@unroll/protocol";
import { pluralize, readCutLines, showHidden, toPlainText, toShownText } from "@unroll/text";
import { describeAgent, listAgents } from "./describe-agent.ts";
import type { RenderOptions } from "./text-style.ts";
import { shortenPath } from "./shorten-path.ts";

/** How many lines of a command's output are shown. The model sees more. */
const shownOutputLines = 12;

/** The text of an item that has just started; null: nothing yet. */
export function renderItemStart(item: ThreadItem, options: RenderOptions): string | null {
  switch (item.type) {
    case "command_execution":
      return `${options.style("bold", "$")} ${showHidden(item.command).replaceAll("\n", "\n  ")}`;
    case "todo_list":
      return renderItem(item, options);
    case "tool_call": // only a sub-agent that continues is known from its start
      return item.agent === undefined ? null : renderItem(item, options);
    case "agent_message":
    case "reasoning":
    case "file_change":
    case "mcp_tool_call":
    case "image_view":
    case "web_search":
    case "error":
      return null;
  }
}

/** The text of an item's result, for below its start; null: nothing is shown. */
export function renderItem(item: ThreadItem, options: RenderOptions): string | null {
  const { style } = options;
  switch (item.type) {
    case "agent_message":
      return renderMessage(item, options);
    case "reasoning":
      return options.showReasoning ? style("dim", toShownText(item.text)) : null;
    case "command_execution":
      return renderResult(item, options);
    case "file_change":
      return renderPatch(item, options);
    case "mcp_tool_call":
      return renderMcpCall(item, options);
    case "tool_call":
      return renderToolCall(item, options);
    case "image_view":
      return renderCall({ ...item, verb: "viewed", name: shortenPath(item.path, options.cwd) }, options);
    case "web_search":
      return `${item.status === "failed" ? style("red", "search failed") : style("cyan", "searched")} ${toShownText(item.query)}`;
    case "todo_list":
      return renderPlan(item, options);
    case "error":
      return `${style("red", "error:")} ${toShownText(item.message)}`;
  }
}

function renderToolCall(item: ToolCallThreadItem, options: RenderOptions): string {
  const { tool, agent, status } = item;
  if (agent === undefined) return renderCall({ ...item, verb: "called", name: tool }, options);
  const [name = "", ...own] = listAgents([agent]).map(
    (each) => `sub-agent ${each.name} · ${describeAgent(each.agent, status)}`,
  );
  const below = own.map((line) => `\n${options.style("dim", toShownText(`  ${line}`))}`).join("");
  if (status === "in_progress") return `${options.style("dim", toShownText(`  ${name}`))}${below}`;
  return `${renderCall({ ...item, verb: "called", name }, options)}${below}`;
}

function renderMessage({ text, cut }: AgentMessageThreadItem, { style }: RenderOptions): string {
  const why = { interrupted: "interrupted", incomplete: "the model stopped early" };
  const mark = cut === undefined ? "" : style("yellow", ` […] (cut off: ${why[cut]})`);
  return `${style("cyan", "•")} ${toShownText(text)}${mark}`;
}

function renderResult(item: CommandExecutionThreadItem, { style }: RenderOptions): string {
  const { omitted_lines: omitted = 0 } = item;
  const { lines, mark: cut } = readCutLines(showHidden(toPlainText(item.aggregated_output)).trimEnd(), omitted);
  const first = Math.max(0, lines.length - shownOutputLines);
  const shown = lines.slice(first).map((line) => style("dim", `  ${line}`));
  const { at = null, lost = 0 } = cut ?? {};
  const isCutShown = at !== null && at >= first;
  const earlier = pluralize(first - (at === null || isCutShown ? 0 : 1), "earlier line");
  const rest = lost === 0 || isCutShown ? "" : `, and ${pluralize(lost, "line")} not kept`;
  if (first > 0) shown.unshift(style("dim", `  … ${earlier}${rest}`));
  const { status, exit_code: code, reason } = item;
  const end = code === null ? toWords(status) : `exit ${code}`;
  const isExplained = status === "failed" && code === null && reason !== undefined;
  const mark = isExplained
    ? style("red", `  ${toReason(reason)}`)
    : style(status === "completed" ? "green" : "red", `  ${end}`) + renderReason(reason);
  return lines.join("") === "" ? mark : [...shown, mark].join("\n");
}

function renderPatch({ status, reason, changes }: FileChangeThreadItem, { style, cwd }: RenderOptions): string {
  const marks = { add: "A", delete: "D", update: "M" };
  const verb = status === "completed" ? style("green", "patched") : style("red", `patch ${toWords(status)}`);
  const files = changes.map(({ path, kind }) => `  ${marks[kind]} ${toShownText(shortenPath(path, cwd))}`);
  return [verb + renderReason(reason), ...files].join("\n");
}

function renderMcpCall(item: McpToolCallThreadItem, options: RenderOptions): string {
  const { server, tool, status, error, progress } = item;
  if (status === "in_progress") {
    const { done = 0, total = null, message = null } = progress ?? {};
    const measure = `  ${server}.${tool}: ${done}${total === null ? "" : ` of ${total}`} ${message ?? ""}`;
    return options.style("dim", toShownText(measure).trimEnd());
  }
  const reason = status === "completed" ? undefined : (error?.message ?? "unfinished");
  return renderCall({ verb: "called", name: `${server}.${tool}`, status, reason }, options);
}

interface Call {
  readonly verb: "called" | "viewed";
  readonly name: string;
  readonly status: ItemStatus;
  readonly reason?: string | undefined;
}

function renderCall({ verb, name, status, reason }: Call, { style }: RenderOptions): string {
  const nouns = { called: "call", viewed: "view" };
  const head = status === "completed" ? style("cyan", verb) : style("red", `${nouns[verb]} ${toWords(status)}`);
  return `${head} ${toShownText(name)}${renderReason(reason)}`;
}

function renderPlan({ items }: TodoListThreadItem, { style }: RenderOptions): string {
  const marks = items.map(({ text, completed }) => `  ${completed ? style("green", "✓") : "○"} ${toShownText(text)}`);
  return marks.join("\n");
}

function renderReason(reason: string | undefined): string {
  return reason === undefined ? "" : `: ${toReason(reason)}`;
}

/** Its other lines go below, indented. */
function toReason(reason: string): string {
  return toShownText(reason).trim().replaceAll("\n", "\n    ");
}

function toWords(status: ItemStatus): string {
  return status === "in_progress" ? "unfinished" : status === "unknown" ? "result unknown" : status;
}
