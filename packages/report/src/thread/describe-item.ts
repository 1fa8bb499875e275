import type { ItemStatus, ThreadItem, ToolCallThreadItem } from "@unroll/protocol";
import { formatCost, formatCount } from "../text/format.ts";

/** A call as it was shown. */
export interface ShownCall {
  /** The tool, or what kind of call it is. */
  readonly name: string;
  readonly form: "command" | "diff" | "text";
  /** The request. */
  readonly asked: string;
  /** The result; null: nothing is shown. */
  readonly answered: string | null;
  /** Its status, exit code and time, in a line. */
  readonly end: string;
  readonly mark: "✓" | "✗" | "?";
}

type CallItem = Exclude<
  ThreadItem,
  { readonly type: "agent_message" | "reasoning" | "web_search" | "todo_list" | "error" }
>;

export function describeCall(item: CallItem): ShownCall {
  const isGood = item.status === "completed" && !("exit_code" in item && (item.exit_code ?? 0) !== 0);
  return { ...describeAsked(item), end: describeEnd(item), mark: isGood ? "✓" : item.status === "unknown" ? "?" : "✗" };
}

function describeAsked(item: CallItem): Omit<ShownCall, "end" | "mark"> {
  switch (item.type) {
    case "command_execution":
      return { name: "command", form: "command", asked: item.command, answered: item.aggregated_output };
    case "file_change": {
      const files = item.changes.map(({ kind, path, moved_from: from }) => {
        return `${kind} ${from === undefined ? path : `${from} → ${path}`}`;
      });
      const { diff } = item;
      return {
        name: "patch",
        form: diff === undefined ? "text" : "diff",
        asked: diff ?? files.join("\n"),
        answered: null,
      };
    }
    case "mcp_tool_call": {
      const texts = item.result?.content.flatMap(readContent) ?? [];
      const name = `${item.server}: ${item.tool}`;
      const answered = item.result === null ? (item.error?.message ?? null) : texts.join("\n");
      return { name, form: "text", asked: toText(item.arguments), answered };
    }
    case "image_view":
      return { name: "viewed image", form: "text", asked: item.path, answered: null };
    case "tool_call":
      return { name: nameTool(item), form: "text", asked: toText(item.arguments), answered: item.output };
  }
}

/** A sub-agent has a thread of its own, whose steps come behind those of this one. */
function nameTool({ tool, agent }: ToolCallThreadItem): string {
  if (agent === undefined) return tool;
  const { name, thread_id: id, state, tokens, cached_tokens: cached = 0, cost } = agent;
  const used = `${formatCount(tokens)} tokens${cached === 0 ? "" : ` (${formatCount(cached)} cached)`}${cost === null ? "" : `, ${formatCost(cost)}`}`;
  return `sub-agent ${name} (thread ${id}): ${state}, ${used}`;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null, null, 2);
}

function readContent(block: unknown): readonly string[] {
  if (typeof block !== "object" || block === null) return [];
  return "text" in block && typeof block.text === "string" ? [block.text] : [];
}

const statuses: Readonly<Record<ItemStatus, string>> = {
  in_progress: "in progress",
  completed: "completed",
  failed: "failed",
  declined: "not run",
  unknown: "end not recorded",
};

function describeEnd(item: CallItem): string {
  const code = item.type === "command_execution" ? item.exit_code : null;
  const how = code === null ? statuses[item.status] : `exit ${code}`;
  const time = item.duration_ms === undefined ? [] : [formatDuration(item.duration_ms)];
  const reason = "reason" in item ? `: ${item.reason}` : "";
  return `${[how, ...time].join(" · ")}${reason}`;
}

function formatDuration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  const seconds = ms / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
