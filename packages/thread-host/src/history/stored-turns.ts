import {
  type EndedCall,
  type JournalEntry,
  listCallEnds,
  listKeptTurns,
  type ResponseItem,
  type StoredThread,
  type ThreadItem,
  type ToolCallItem,
  type TurnOutcome,
  type UserInput,
  type UserInputPart,
} from "@unroll/protocol";
import { isSaid } from "@unroll/rollout";
import { shortenText } from "@unroll/text";
import { ThreadHostError } from "../thread-host-error.ts";
import { readEnd } from "./read-end.ts";
import { parseShellCall } from "./parse-shell-call.ts";

/** A turn of a thread that is kept, as far as its journal tells: diffs are not in there. */
export interface StoredTurn {
  readonly id: string;
  readonly steps: readonly StoredStep[];
  /** Null: it was cut off, or it runs. */
  readonly outcome: TurnOutcome | null;
}

/** One thing of it. The ids of items are of the turn: `<turn>_<N>`. */
export type StoredStep =
  | { readonly type: "said"; readonly id: string; readonly input: readonly UserInputPart[] }
  /** `cwd`: as the call named one, for a command; else null. */
  | { readonly type: "item"; readonly item: ThreadItem; readonly cwd: string | null }
  | { readonly type: "compacted"; readonly id: string };

interface TurnEntries {
  readonly id: string;
  readonly items: ResponseItem[];
  outcome: TurnOutcome | null;
}

/** The turns of a thread, of the entries of its journal, but those that were taken back. */
export function readStoredTurns(entries: readonly JournalEntry[]): readonly StoredTurn[] {
  const turns: TurnEntries[] = [];
  for (const entry of entries) {
    const turn = turns.at(-1);
    if (entry.type === "turn.started") turns.push({ id: entry.turnId, items: [], outcome: null });
    else if (entry.type === "item") turn?.items.push(entry.item.item);
    else if (entry.type === "turn.ended" && turn) turn.outcome = entry.outcome;
  }
  const ends = listCallEnds(entries);
  const kept = new Set(listKeptTurns(entries).map(({ id }) => id));
  return turns.flatMap(({ id, items, outcome }) => {
    if (!kept.has(id)) return [];
    const results = { outputs: listOutputs(items), ends };
    const toShown = (item: ResponseItem, index: number): readonly StoredStep[] =>
      markCut(toSteps(item, `${id}_${index}`, results), item, items[index + 1]);
    return [{ id, outcome, steps: items.flatMap(toShown) }];
  });
}

/** How many turns were begun in a thread up to this one. Throws `ThreadHostError` `turn_missing`. */
export function countTurns({ threadId, entries }: StoredThread, lastTurnId: string): number {
  const last = listKeptTurns(entries).find(({ id }) => id === lastTurnId);
  if (last !== undefined) return last.number;
  throw new ThreadHostError("turn_missing", `lastTurnId: the thread ${threadId} has no turn ${lastTurnId}.`);
}

/** The beginning of what a person said first; empty where nobody has. */
export function findPreview(entries: readonly JournalEntry[]): string {
  const said = readStoredTurns(entries).flatMap(({ steps }) => steps.filter(({ type }) => type === "said"));
  return said[0]?.type === "said" ? toPreview(said[0].input) : "";
}

const previewCharacters = 120;

export function toPreview(input: UserInput): string {
  if (typeof input === "string") return shortenText(input, previewCharacters);
  const texts = input.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return shortenText(texts.join(" "), previewCharacters);
}

interface CallResults {
  /** By the ids of their calls. */
  readonly outputs: ReadonlyMap<string, string>;
  readonly ends: ReadonlyMap<ResponseItem, EndedCall>;
}

function listOutputs(items: readonly ResponseItem[]): CallResults["outputs"] {
  return new Map(
    items.flatMap((item) => {
      if (item.type !== "function_call_output" && item.type !== "custom_tool_call_output") return [];
      const { output } = item;
      const text =
        typeof output === "string" ? output : output.map((part) => ("text" in part ? part.text : "")).join("");
      return [[item.call_id, text] as const];
    }),
  );
}

function toSteps(item: ResponseItem, id: string, results: CallResults): readonly StoredStep[] {
  switch (item.type) {
    case "message":
      if (item.role === "assistant")
        return [toStep({ id, type: "agent_message", text: item.content.map(readText).join("") })];
      return isSaid(item) ? [{ type: "said", id, input: toInput(item.content) }] : [];
    case "reasoning":
      return [toStep({ id, type: "reasoning", text: item.summary.map(({ text }) => text).join("\n\n") })];
    case "function_call":
    case "custom_tool_call":
      return [toCall(item, id, results)];
    case "web_search_call":
      return [
        toStep({
          id,
          type: "web_search",
          query: item.action?.query ?? "",
          action: item.action ?? null,
          status: item.status === "failed" ? "failed" : "completed",
        }),
      ];
    case "compaction":
      return [{ type: "compacted", id }];
    case "function_call_output":
    case "custom_tool_call_output":
    case "unknown":
      return [];
  }
}

/** A message that was cut stands right before what the model is told of that, and as we write one: servers add a state to theirs, which may say it. */
function markCut(
  steps: readonly StoredStep[],
  item: ResponseItem,
  next: ResponseItem | undefined,
): readonly StoredStep[] {
  const [step] = steps;
  if (step?.type !== "item" || step.item.type !== "agent_message") return steps;
  if ("status" in item && item.status === "incomplete") return [{ ...step, item: { ...step.item, cut: "incomplete" } }];
  if ("status" in item || next?.type !== "message" || next.role !== "user") return steps;
  const [, tag] = /^<(turn_interrupted|answer_cut)>/.exec(next.content.map(readText).join("")) ?? [];
  if (tag === undefined) return steps;
  return [{ ...step, item: { ...step.item, cut: tag === "answer_cut" ? "incomplete" : "interrupted" } }];
}

type MessageContent = Extract<ResponseItem, { readonly type: "message" }>["content"];

function readText(part: MessageContent[number]): string {
  return "text" in part ? part.text : "";
}

function toInput(content: MessageContent): readonly UserInputPart[] {
  return content.flatMap((part): UserInputPart[] => {
    if (part.type === "input_image") return [{ type: "image", dataUrl: part.image_url }];
    return "text" in part ? [{ type: "text", text: part.text }] : [];
  });
}

function toStep(item: ThreadItem, cwd: string | null = null): StoredStep {
  return { type: "item", item, cwd };
}

function toCall(call: ToolCallItem, id: string, { outputs, ends }: CallResults): StoredStep {
  const shell = call.type === "function_call" ? parseShellCall(call) : null;
  const output = outputs.get(call.call_id) ?? null;
  const { status, exitCode, reason } = ends.get(call) ?? readEnd(output);
  const end = { status, ...(reason !== null && { reason }) };
  if (shell !== null) {
    const { command, cwd } = shell;
    const item = {
      id,
      type: "command_execution",
      command,
      aggregated_output: output ?? "",
      exit_code: exitCode,
    } as const;
    return toStep({ ...item, ...end }, cwd);
  }
  const given = call.type === "function_call" ? call.arguments : call.input;
  return toStep({ id, type: "tool_call", tool: call.name, arguments: given, output, ...end });
}
