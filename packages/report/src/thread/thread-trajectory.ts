import { accountThread, type PriceOf, type RequestRow } from "@unroll/accounting";
import {
  type ContentPart,
  isToolOutput,
  type JournalEntry,
  type KnownItem,
  listStoredTurns,
  readAuthor,
  readTexts,
  type RequestHead,
  type ResponseItem,
  type ToolCallItem,
  type ToolOutputItem,
  unrollVersion,
} from "@unroll/protocol";

/**
 * A thread in the Agent Trajectory Interchange Format (ATIF) 1.7, which evaluation harnesses read.
 * Field names are the format's.
 */
export interface ThreadTrajectory {
  readonly schema_version: "ATIF-v1.7";
  // structure-ignore words: the format's name for the thread
  readonly session_id: string;
  readonly agent: {
    readonly name: "unroll";
    readonly version: string;
    readonly model_name?: string;
    readonly tool_definitions: readonly object[];
  };
  readonly steps: readonly TrajectoryStep[];
  readonly final_metrics: object;
}

/** A message to the model, or one request with the calls that it led to and their outputs. */
export interface TrajectoryStep {
  /** From 1. */
  readonly step_id: number;
  readonly timestamp?: string;
  readonly source: "system" | "user" | "agent";
  readonly message: string;
  readonly model_name?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly object[];
  readonly observation?: { readonly results: readonly object[] };
  readonly metrics?: object;
  /** 1: the step is one request. Absent: another program sent it. */
  readonly llm_call_count?: 1;
}

/** `entries`: of the thread's journal. Rewound turns, pictures, and items that only the server can read are left out. */
export function createThreadTrajectory(entries: readonly JournalEntry[], priceOf: PriceOf): ThreadTrajectory {
  const { rows, usage, cost } = accountThread(entries, priceOf);
  const opened = entries.findLast((entry) => entry.type === "thread.opened");
  const head = opened?.head ?? null;
  const steps = listDrafts(entries, { rows, head }).map(toStep);
  return {
    schema_version: "ATIF-v1.7",
    session_id: opened?.threadId ?? "",
    agent: {
      name: "unroll",
      version: unrollVersion,
      ...(opened !== undefined && { model_name: opened.model }),
      tool_definitions: (head?.tools ?? []).flatMap(({ spec }) => toDefinition(spec)),
    },
    steps,
    final_metrics: {
      total_prompt_tokens: usage.input_tokens,
      total_completion_tokens: usage.output_tokens,
      total_cached_tokens: usage.cached_input_tokens,
      ...(cost !== null && { total_cost_usd: cost.withCache }),
      total_steps: steps.length,
      extra: { reasoning_output_tokens: usage.reasoning_output_tokens },
    },
  };
}

/** A step while its items are read. */
interface StepDraft {
  readonly source: TrajectoryStep["source"];
  /** In ms since 1970; null: not known. */
  readonly at: number | null;
  /** Null: no request of ours. */
  readonly row: RequestRow | null;
  readonly texts: string[];
  readonly reasoning: string[];
  readonly calls: { readonly id: string; readonly name: string; readonly arguments: object }[];
  readonly outputs: { readonly id: string; readonly text: string }[];
}

interface DraftFacts {
  readonly rows: readonly RequestRow[];
  readonly head: RequestHead | null;
}

function listDrafts(entries: readonly JournalEntry[], { rows, head }: DraftFacts): readonly StepDraft[] {
  const kept = new Set(listStoredTurns(entries).map(({ id }) => id));
  const drafts: StepDraft[] = [];
  if (head !== null && head.instructions !== "") drafts.push(toMessage("system", head.instructions, null));
  let [isKept, requests] = [true, 0];
  let at: number | null = null;
  for (const entry of entries) {
    if (entry.type === "turn.started") [isKept, at] = [kept.has(entry.turnId), entry.at ?? null];
    if (entry.type === "request" && !entry.request.isInherited) {
      const row = rows[requests++] ?? null;
      if (isKept && !entry.request.isBeside) drafts.push(toRequest(row));
    }
    if (!isKept) continue;
    if (entry.type === "item") addItem(drafts, entry.item.item, at);
    if (entry.type === "epoch")
      drafts.push(toMessage("system", `A new context replaces the old one: ${entry.cause}.`, at));
  }
  return drafts;
}

function addItem(drafts: StepDraft[], item: ResponseItem, at: number | null): void {
  if (item.type === "unknown") return;
  if (isToolOutput(item)) return addOutput(drafts, item);
  const author = readAuthor(item);
  if (item.type === "message" && author.type !== "model") {
    const source = author.type === "user" ? "user" : "system";
    drafts.push(toMessage(source, toText(item.content), at));
    return;
  }
  const last = drafts.at(-1);
  const isOpen = last?.source === "agent" && last.outputs.length === 0;
  const draft = isOpen ? last : toRequest(null); // another program recorded no requests
  if (!isOpen) drafts.push(draft);
  addAnswer(draft, item);
}

function addAnswer(draft: StepDraft, item: Exclude<KnownItem, ToolOutputItem>): void {
  switch (item.type) {
    case "message":
      draft.texts.push(toText(item.content));
      return;
    case "reasoning":
      draft.reasoning.push(...[...item.summary, ...(item.content ?? [])].map(({ text }) => text));
      return;
    case "function_call":
    case "custom_tool_call":
      draft.calls.push({ id: item.call_id, name: item.name, arguments: readArguments(item) });
      return;
    case "web_search_call": // the provider ran it, and the model alone has its output
      draft.calls.push({ id: item.id ?? "", name: "web_search", arguments: item.action ?? {} });
      return;
    case "compaction":
      return;
  }
}

/** The format keeps an output in the step of its call. */
function addOutput(drafts: readonly StepDraft[], { call_id: id, output }: ToolOutputItem): void {
  const step = drafts.findLast(({ calls }) => calls.some((call) => call.id === id));
  step?.outputs.push({ id, text: typeof output === "string" ? output : toText(output) });
}

function toMessage(source: "system" | "user", text: string, at: number | null): StepDraft {
  return { source, at, row: null, texts: [text], reasoning: [], calls: [], outputs: [] };
}

function toRequest(row: RequestRow | null): StepDraft {
  return { source: "agent", at: row?.sentAt ?? null, row, texts: [], reasoning: [], calls: [], outputs: [] };
}

function toStep({ source, at, row, texts, reasoning, calls, outputs }: StepDraft, index: number): TrajectoryStep {
  return {
    step_id: index + 1,
    ...(at !== null && { timestamp: new Date(at).toISOString() }),
    source,
    message: texts.join("\n\n"),
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join("\n\n") }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        tool_call_id: call.id,
        function_name: call.name,
        arguments: call.arguments,
      })),
    }),
    ...(outputs.length > 0 && {
      observation: { results: outputs.map(({ id, text }) => ({ source_call_id: id, content: text })) },
    }),
    ...(row !== null && { model_name: row.model, metrics: toMetrics(row), llm_call_count: 1 }),
  };
}

function toMetrics({ inputTokens, outputTokens, cachedTokens, cost }: RequestRow): object {
  return {
    ...(inputTokens !== null && { prompt_tokens: inputTokens }),
    ...(outputTokens !== null && { completion_tokens: outputTokens }),
    ...(cachedTokens !== null && { cached_tokens: cachedTokens }),
    ...(cost !== null && { cost_usd: cost.withCache }),
  };
}

/** The format wants an object: a custom tool's text, and invalid arguments, become its `input`. */
function readArguments(call: ToolCallItem): object {
  const text = call.type === "function_call" ? call.arguments : call.input;
  if (call.type === "custom_tool_call") return { input: text };
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : { input: text };
  } catch {
    return { input: text };
  }
}

/** As the Chat Completions API lists functions, which the format uses. */
function toDefinition(spec: RequestHead["tools"][number]["spec"]): readonly object[] {
  if (spec.type !== "function") return [];
  const { name, description, parameters } = spec;
  return [{ type: "function", function: { name, description, parameters } }];
}

function toText(parts: readonly ContentPart[]): string {
  return parts.map((part) => (part.type === "input_image" ? "[image]" : readTexts([part]).join(""))).join("\n");
}
