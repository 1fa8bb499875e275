import { readHeadTexts } from "@unroll/accounting";
import { createTokenEstimator } from "@unroll/compaction";
import { identifyMessage } from "@unroll/prompt";
import type { JournalEntry, ResponseItem, SentItem, TokenUsage } from "@unroll/protocol";
import { groupDigits } from "@unroll/view";

interface ContextFacts {
  /** In tokens; null: not known. */
  readonly window: number | null;
  /** What the server counted of the last request; null: nothing yet. */
  readonly counted: TokenUsage | null;
}

/** What the next request of a thread is made of: by fragment, and by kind of item. All counts but the server's are estimates. */
export function renderContext(entries: readonly JournalEntry[], { window, counted }: ContextFacts): string {
  const opened = entries.findLast((entry) => entry.type === "thread.opened");
  if (opened === undefined) return "Nothing was sent yet.";
  const head = opened.head ?? new Uint8Array();
  const { instructions, tools } = readHeadTexts(opened.head);
  const bytesOfInstructions = new TextEncoder().encode(JSON.stringify(instructions)).length;
  const parts = new Map<string, Part>();
  add(parts, "instructions", bytesOfInstructions);
  add(parts, `tools (${tools.length}): ${tools.join(", ")}`, Math.max(0, head.length - bytesOfInstructions));
  for (const { item, bytes } of listSent(entries)) add(parts, nameItem(item), bytes.length);
  const estimator = createTokenEstimator();
  const toTokens = (bytes: number): number => estimator.estimateBytes(bytes);
  const rows = [...parts].map(([name, { bytes, count }]) => ({ name, count, tokens: toTokens(bytes) }));
  const total = rows.reduce((sum, { tokens }) => sum + tokens, 0);
  const lines = rows.map(
    ({ name, count, tokens }) => `${groupDigits(tokens).padStart(10)}  ${name}${count > 1 ? ` (${count})` : ""}`,
  );
  return [
    "The next request, about, in tokens:",
    "",
    ...lines,
    `${groupDigits(total).padStart(10)}  all of it${window === null ? "" : `, of ${groupDigits(window)} that the model takes`}`,
    ...(counted === null
      ? []
      : ["", `The last request had ${groupDigits(counted.input_tokens)} by the server's count, ${groupDigits(counted.cached_input_tokens)} of them from its cache.`]),
  ].join("\n");
}

interface Part {
  readonly bytes: number;
  readonly count: number;
}

function add(parts: Map<string, Part>, name: string, bytes: number): void {
  const before = parts.get(name) ?? { bytes: 0, count: 0 };
  parts.set(name, { bytes: before.bytes + bytes, count: before.count + 1 });
}

/** What is sent from here on: behind the last epoch that was not undone. */
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

function nameItem(item: ResponseItem): string {
  switch (item.type) {
    case "message":
      return nameMessage(item);
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
      return "the summary of what was shortened";
    case "unknown":
      return item.itemType;
  }
}

function nameMessage(item: Extract<ResponseItem, { readonly type: "message" }>): string {
  if (item.role === "assistant") return "answers";
  const kind = identifyMessage(item);
  switch (kind) {
    case "permissions":
      return "permissions";
    case "environment":
      return "environment";
    case "instructions":
      return "AGENTS.md files";
    case "skill_list":
      return "list of skills";
    case "skill":
      return "skills";
    case "passing":
      return "notes of the harness";
    case "other":
      return item.role === "user" ? "what you said" : "developer instructions";
  }
}
