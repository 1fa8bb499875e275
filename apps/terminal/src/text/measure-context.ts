import type { ContextGroup, ContextPart } from "@unroll/cells";
import { createTokenEstimator } from "@unroll/compaction";
import { type HeadTool, type JournalEntry, listLiveItems, readAuthor, type ResponseItem } from "@unroll/protocol";

/** The parts of the next request by kind, in estimated tokens. Empty: no request was sent yet. */
export function measureContext(entries: readonly JournalEntry[]): readonly ContextGroup[] {
  const opened = entries.findLast((entry) => entry.type === "thread.opened");
  if (opened === undefined) return [];
  const { instructions, tools } = opened.head ?? { instructions: "", tools: [] };
  const fixed = new Map<string, Part>();
  add(fixed, "instructions", countBytes(instructions));
  const fragments = new Map<string, Part>();
  const messages = new Map<string, Part>();
  for (const { item, bytes } of listLiveItems(entries)) {
    const { group, name } = nameItem(item);
    add(group === "fragments" ? fragments : messages, name, bytes.length);
  }
  const groups = [
    { name: "instructions", parts: toParts(fixed) },
    { name: `tools (${tools.length})`, parts: tools.map(measureTool) },
    { name: "context from the harness", parts: toParts(fragments) },
    { name: "messages", parts: toParts(messages) },
  ];
  return groups.filter(({ parts }) => parts.length > 0);
}

/**
 * About how many tokens the next request would resend uncached if the thread continued from `wanted` and not from `now`: all behind the
 * bytes that both begin with.
 */
export function measureResent(now: readonly JournalEntry[], wanted: readonly JournalEntry[]): number {
  const [sent, items] = [listLiveItems(now), listLiveItems(wanted)];
  const [was, is] = [now, wanted].map((entries) => entries.findLast((entry) => entry.type === "thread.opened"));
  const isSameHead = was === is;
  const first = items.findIndex(({ bytes }, at) => !isSameHead || !areSame(bytes, sent[at]?.bytes ?? null));
  const resent = first < 0 ? [] : items.slice(first);
  const head = isSameHead || items.length === 0 ? 0 : (is?.head?.bytes.length ?? 0);
  return estimator.estimateBytes(resent.reduce((sum, { bytes }) => sum + bytes.length, head));
}

function areSame(left: Uint8Array, right: Uint8Array | null): boolean {
  return right !== null && left.length === right.length && left.every((byte, at) => byte === right[at]);
}

const estimator = createTokenEstimator();

function toParts(parts: ReadonlyMap<string, Part>): readonly ContextPart[] {
  return [...parts].map(([name, { bytes, count }]) => ({
    name: count > 1 ? `${name} (${count})` : name,
    tokens: estimator.estimateBytes(bytes),
  }));
}

function measureTool({ name, spec }: HeadTool): ContextPart {
  return { name, tokens: estimator.estimateBytes(countBytes(spec)) };
}

/** The number of bytes of its JSON. */
function countBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

interface Part {
  readonly bytes: number;
  readonly count: number;
}

function add(parts: Map<string, Part>, name: string, bytes: number): void {
  const before = parts.get(name) ?? { bytes: 0, count: 0 };
  parts.set(name, { bytes: before.bytes + bytes, count: before.count + 1 });
}

interface ItemName {
  readonly group: "fragments" | "messages";
  readonly name: string;
}

function nameItem(item: ResponseItem): ItemName {
  if (item.type === "message") return nameMessage(item);
  return { group: "messages", name: nameStep(item) };
}

function nameStep(item: Exclude<ResponseItem, { readonly type: "message" }>): string {
  switch (item.type) {
    case "reasoning":
      return "reasoning";
    case "function_call":
    case "custom_tool_call":
      return `${item.name} calls`;
    case "function_call_output":
    case "custom_tool_call_output":
      return "tool outputs";
    case "web_search_call":
      return "web searches";
    case "compaction":
      return "compacted by the server";
    case "unknown":
      return item.itemType;
  }
}

const fragmentNames: Readonly<Record<string, string>> = {
  permissions: "permissions",
  environment: "environment",
  instructions: "AGENTS.md files",
  skill_list: "skill list",
  skill: "skills that you named",
  turn_interrupted: "notes for the model",
  repeated_calls: "notes for the model",
  answer_refused: "notes for the model",
  answer_cut: "notes for the model",
  summary: "summaries",
  mcp_tools: "MCP tools",
  masked_secrets: "note on masked secrets",
};

function nameMessage(item: Extract<ResponseItem, { readonly type: "message" }>): ItemName {
  const author = readAuthor(item);
  switch (author.type) {
    case "model":
      return { group: "messages", name: "answers" };
    case "user":
      return { group: "messages", name: "your messages" };
    case "tool":
      return { group: "messages", name: "tool outputs" };
    case "harness":
      return { group: "fragments", name: fragmentNames[author.fragment] ?? "developer instructions" };
  }
}
