import type { JournalEntry, ResponseItem, ToolCallItem, TurnOutcome } from "@unroll/protocol";
import { shortenText } from "@unroll/text";
import type { WireInput, WireItem } from "../schema/thread-item.ts";
import type { WireTurn } from "../schema/thread.ts";
import { readShellCall } from "./parse-shell-call.ts";
import { toWireError, toWireTurn } from "./to-wire-turn.ts";

interface TurnEntries {
  readonly id: string;
  readonly items: ResponseItem[];
  outcome: TurnOutcome | null;
}

/** The turns of a thread that is kept, of its journal. */
export function toStoredTurns(entries: readonly JournalEntry[], cwd: string): readonly WireTurn[] {
  const turns: TurnEntries[] = [];
  for (const entry of entries) {
    const turn = turns.at(-1);
    if (entry.type === "turn.started") turns.push({ id: entry.turnId, items: [], outcome: null });
    else if (entry.type === "item") turn?.items.push(entry.item.item);
    else if (entry.type === "turn.ended" && turn) turn.outcome = entry.outcome;
  }
  return turns.map((turn) => toTurn(turn, cwd));
}

/** The beginning of what a person said first; empty where nobody has. */
export function findPreview(entries: readonly JournalEntry[]): string {
  const [first] = toStoredTurns(entries, "");
  const said = first?.items.find((item) => item.type === "userMessage")?.content ?? [];
  return toPreview(said);
}

const previewCharacters = 120;

export function toPreview(input: readonly WireInput[]): string {
  const texts = input.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return shortenText(texts.join(" "), previewCharacters);
}

function toTurn({ id, items, outcome }: TurnEntries, cwd: string): WireTurn {
  const wire = items.flatMap((item, index) => toItem(item, { id: `${id}_${index}`, cwd, items }));
  if (outcome?.type === "failed" && outcome.error.code !== "interrupted")
    return toWireTurn(id, { status: "failed", error: toWireError(outcome.error), items: wire });
  return toWireTurn(id, { status: outcome?.type === "completed" ? "completed" : "interrupted", items: wire });
}

interface ItemPlace {
  readonly id: string;
  readonly cwd: string;
  /** Those of its turn. */
  readonly items: readonly ResponseItem[];
}

function toItem(item: ResponseItem, place: ItemPlace): readonly WireItem[] {
  const { id } = place;
  switch (item.type) {
    case "message": {
      const text = item.content.map((part) => ("text" in part ? part.text : "")).join("");
      if (item.role === "assistant") return [{ type: "agentMessage", id, text, phase: null }];
      return item.role === "user" ? [{ type: "userMessage", id, clientId: null, content: toInput(item.content) }] : [];
    }
    case "reasoning":
      return [{ type: "reasoning", id, summary: item.summary.map(({ text }) => text), content: [] }];
    case "function_call":
    case "custom_tool_call":
      return [toCall(item, place)];
    case "web_search_call":
      return [{ type: "webSearch", id, query: item.action?.query ?? "", action: item.action ?? null }];
    case "compaction":
      return [{ type: "contextCompaction", id }];
    case "function_call_output":
    case "custom_tool_call_output":
    case "unknown":
      return [];
  }
}

function toInput(content: Extract<ResponseItem, { readonly type: "message" }>["content"]): WireInput[] {
  return content.flatMap((part): WireInput[] => {
    if (part.type === "input_image") return [{ type: "image", url: part.image_url }];
    return "text" in part ? [{ type: "text", text: part.text }] : [];
  });
}

function toCall(call: ToolCallItem, { id, cwd, items }: ItemPlace): WireItem {
  const output = findOutput(items, call.call_id);
  const shell = call.type === "function_call" ? readShellCall(call) : null;
  if (shell !== null) {
    return {
      type: "commandExecution",
      id,
      command: shell.command,
      cwd: shell.cwd ?? cwd,
      processId: null,
      source: "agent",
      status: "completed",
      commandActions: [{ type: "unknown", command: shell.command }],
      aggregatedOutput: output,
      exitCode: null,
      durationMs: null,
    };
  }
  return {
    type: "dynamicToolCall",
    id,
    namespace: null,
    tool: call.name,
    arguments: call.type === "function_call" ? call.arguments : call.input,
    status: "completed",
    contentItems: output === null ? null : [{ type: "inputText", text: output }],
    success: null,
    durationMs: null,
  };
}

function findOutput(items: readonly ResponseItem[], callId: string): string | null {
  for (const item of items) {
    const isOutput = item.type === "function_call_output" || item.type === "custom_tool_call_output";
    if (!isOutput || item.call_id !== callId) continue;
    return typeof item.output === "string"
      ? item.output
      : item.output.map((part) => ("text" in part ? part.text : "")).join("");
  }
  return null;
}
