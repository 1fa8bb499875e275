import type {
  ContentBlock,
  ToolCall,
  ToolCallContent,
  ToolCallLocation,
  ToolKind,
} from "@agentclientprotocol/sdk/unstable";
import { listCommandActions } from "@unroll/exec-policy";
import type {
  AgentProgress,
  CallThreadItem,
  CommandExecutionThreadItem,
  FileChange,
  FileChangeThreadItem,
  ItemStatus,
  McpToolCallThreadItem,
  ThreadItem,
} from "@unroll/protocol";
import { shortenText } from "@unroll/text";
import { describeAgent, listAgents, shortenPath } from "@unroll/view";
import * as z from "zod";
import { toFencedText, toTextContent } from "./text-content.ts";
import { toDiffContent } from "./to-diff-content.ts";

const titleCharacters = 200;

/** Facts about an item's thread and client that the item does not contain. */
export interface ToolFacts {
  /** The working folder of the thread. */
  readonly cwd: string;
  /** Whether its output goes to a terminal of the client's. */
  readonly hasTerminal: boolean;
}

/** The items that are shown as a call of a tool. */
type ShownCall = CallThreadItem | Extract<ThreadItem, { readonly type: "web_search" }>;

/** The current state of a call, complete: it replaces the earlier updates. */
export function toToolCall(item: ShownCall, facts: ToolFacts): ToolCall {
  const common = { toolCallId: item.id, status: statuses[item.status] };
  switch (item.type) {
    case "command_execution":
      return { ...common, ...toCommand(item, facts) };
    case "file_change":
      return { ...common, ...toPatch(item, facts) };
    case "mcp_tool_call":
      return { ...common, ...toMcpCall(item) };
    case "tool_call": {
      const { agent } = item;
      const output = item.reported === undefined ? item.output : null; // the calls of the sub-agents show it
      const said = [output, item.reason].filter((text) => text !== null && text !== undefined);
      const state = agent === undefined ? [] : [toTextContent(toFencedText(describeTree(agent, item.status)))];
      const content = [...state, ...said.map((text) => toTextContent(toFencedText(text)))];
      const title = agent === undefined ? item.tool : toTitle(`Sub-agent ${agent.name}`);
      const rawOutput = agent === undefined ? {} : { rawOutput: { agent } };
      return { ...common, title, name: item.tool, kind: "other", rawInput: item.arguments, content, ...rawOutput };
    }
    case "image_view": {
      const { path, reason } = item;
      const content = reason === undefined ? [] : [toTextContent(reason)];
      const title = `Look at ${shortenPath(path, facts.cwd)}`;
      return { ...common, title, kind: "read", locations: [{ path }], content };
    }
    case "web_search":
      return { ...common, title: toTitle(`Search the web: ${item.query}`), kind: "search", rawInput: item.action };
  }
}

/** A sub-agent's state, last action and cost; then a line for each of its own ones. */
function describeTree(agent: AgentProgress, status: ItemStatus): string {
  const own = listAgents(agent.agents ?? []).map((each) => `- ${each.name}: ${describeAgent(each.agent, status)}`);
  return [describeAgent(agent, status), ...own].join("\n");
}

/** The protocol has no word for a call that never ran, and none for an end that was not recorded. */
const statuses = {
  in_progress: "in_progress",
  completed: "completed",
  failed: "failed",
  declined: "failed",
  unknown: "in_progress",
} as const;

function toTitle(text: string): string {
  return shortenText(text.replaceAll(/\s+/g, " ").trim(), titleCharacters);
}

type Shown = Omit<ToolCall, "toolCallId" | "status">;

function toCommand(item: CommandExecutionThreadItem, facts: ToolFacts): Shown {
  const { hasTerminal } = facts;
  const { cwd = facts.cwd, command, aggregated_output: output, exit_code: exitCode, reason } = item;
  const terminal: readonly ToolCallContent[] = hasTerminal ? [{ type: "terminal", terminalId: item.id }] : [];
  const text = hasTerminal || output.trim() === "" ? [] : [toTextContent(toFencedText(output))];
  return {
    title: toTitle(command),
    ...toActionFacts(command, cwd),
    rawInput: { command, cwd },
    content: [...terminal, ...text, ...(reason === undefined ? [] : [toTextContent(reason)])],
    ...(item.status === "in_progress" ? {} : { rawOutput: { exitCode, output } }),
    ...(hasTerminal ? { _meta: toTerminalMeta(item, cwd) } : {}),
  };
}

/** A command that does nothing but read or search is shown as that, with its files. */
function toActionFacts(command: string, cwd: string): Pick<Shown, "kind" | "locations"> {
  const actions = listCommandActions(command, cwd);
  if (actions.length === 0 || actions.some(({ type }) => type === "unknown")) return { kind: "execute" };
  const locations = actions.flatMap((action) => (action.type === "read" ? [{ path: action.path }] : []));
  const isRead = locations.length === actions.length;
  return { kind: isRead ? "read" : "search", ...(locations.length > 0 && { locations }) };
}

/**
 * The metadata of a command for the client's terminal: the command runs here, in our sandbox, and the terminal only
 * shows it.
 */
function toTerminalMeta(
  { id, status, exit_code: code }: CommandExecutionThreadItem,
  cwd: string,
): Record<string, unknown> {
  return status === "in_progress"
    ? { terminal_info: { terminal_id: id, cwd } }
    : { terminal_exit: { terminal_id: id, exit_code: code, signal: null } };
}

/** A patch, as it is asked about and as it was made. */
export function toPatch(
  { changes, diff, reason }: Pick<FileChangeThreadItem, "changes" | "diff" | "reason">,
  { cwd }: Pick<ToolFacts, "cwd">,
): Shown {
  const pieces = toDiffContent(diff ?? "");
  return {
    title: toTitle(changes.map((change) => toFileTitle(change, cwd)).join(", ")),
    kind: toPatchKind(changes),
    locations: changes.map(({ path }): ToolCallLocation => {
      const line = pieces.find((piece) => piece.path === path)?.line ?? null;
      return line === null ? { path } : { path, line };
    }),
    content: [...pieces.map(({ content }) => content), ...(reason === undefined ? [] : [toTextContent(reason)])],
  };
}

const verbs = { add: "Write", update: "Edit", delete: "Delete" };

function toFileTitle({ kind, path, moved_from: from }: FileChange, cwd: string): string {
  const name = shortenPath(path, cwd);
  return from === undefined ? `${verbs[kind]} ${name}` : `Move ${shortenPath(from, cwd)} to ${name}`;
}

function toPatchKind(changes: readonly FileChange[]): ToolKind {
  if (changes.every(({ kind }) => kind === "delete")) return "delete";
  return changes.every(({ moved_from: from }) => from !== undefined) ? "move" : "edit";
}

function toMcpCall(item: McpToolCallThreadItem): Shown {
  const { server, tool, result, error, progress } = item;
  const measure = progress === undefined ? null : (progress.message ?? toMeasure(progress));
  const blocks: readonly ContentBlock[] = result === null ? [] : toContentBlocks(result.content);
  const said = [measure, error?.message ?? null].flatMap((text) => (text === null ? [] : [toTextContent(text)]));
  return {
    title: toTitle(`${server}: ${tool}`),
    name: `${server}.${tool}`,
    kind: "other",
    rawInput: item.arguments,
    content: [...said, ...blocks.map((content): ToolCallContent => ({ type: "content", content }))],
    ...(result === null ? {} : { rawOutput: result.structured_content ?? result.content }),
  };
}

function toMeasure({ done, total }: NonNullable<McpToolCallThreadItem["progress"]>): string {
  return `${done}${total === null ? "" : ` of ${total}`}`;
}

const text = z.object({ type: z.literal("text"), text: z.string() });
const image = z.object({ type: z.literal("image"), data: z.string(), mimeType: z.string() });
const link = z.object({ type: z.literal("resource_link"), uri: z.string(), name: z.string() });
const known = z.union([text, image, link]);

/** The content of an MCP tool's answer: both protocols write these blocks alike; any other block is shown as it is. */
function toContentBlocks(content: readonly unknown[]): readonly ContentBlock[] {
  return content.map((block) => {
    const parsed = known.safeParse(block);
    return parsed.success ? parsed.data : { type: "text", text: toFencedText(JSON.stringify(block, null, 2)) };
  });
}
