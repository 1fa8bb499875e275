import type { ContextGroup, ContextPart } from "@unroll/cells";
import { createTokenEstimator } from "@unroll/compaction";
import { identifyMessage } from "@unroll/prompt";
import type { HeadTool, JournalEntry, ResponseItem, SentItem } from "@unroll/protocol";

/** The parts of the next request by kind, in estimated tokens. Empty: no request was sent yet. */
export function measureContext(entries: readonly JournalEntry[]): readonly ContextGroup[] {
  const opened = entries.findLast((entry) => entry.type === "thread.opened");
  if (opened === undefined) return [];
  const { instructions, tools } = opened.head ?? { instructions: "", tools: [] };
  const fixed = new Map<string, Part>();
  add(fixed, "instructions", countBytes(instructions));
  const fragments = new Map<string, Part>();
  const messages = new Map<string, Part>();
  for (const { item, bytes } of listSent(entries)) {
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

/** Of its JSON. */
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

/** The items that are still sent: those since the last epoch that was not undone. */
function listSent(entries: readonly JournalEntry[]): readonly SentItem[] {
  let before: readonly SentItem[] | null = null;
  let sent: readonly SentItem[] = [];
  let since: SentItem[] = [];
  for (const entry of entries) {
    if (entry.type === "item") since.push(entry.item);
    if (entry.type === "epoch") [before, sent, since] = [[...sent, ...since], entry.items, []];
    if (entry.type === "epoch.undone" && before !== null) [sent, before] = [before, null];
  }
  return [...sent, ...since];
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
      return `calls of ${item.name}`;
    case "function_call_output":
    case "custom_tool_call_output":
      return "outputs of tools";
    case "web_search_call":
      return "web searches";
    case "compaction":
      return "compaction of the server";
    case "unknown":
      return item.itemType;
  }
}

const fragmentNames = {
  permissions: "permissions",
  environment: "environment",
  instructions: "AGENTS.md files",
  skill_list: "list of skills",
  skill: "skills that were named",
  passing: "notes on the work",
} as const;

function nameMessage(item: Extract<ResponseItem, { readonly type: "message" }>): ItemName {
  if (item.role === "assistant") return { group: "messages", name: "answers" };
  const kind = identifyMessage(item);
  if (kind !== "other") return { group: "fragments", name: fragmentNames[kind] };
  if (item.role !== "user") return { group: "fragments", name: "developer instructions" };
  return { group: "messages", name: "your messages" };
}
