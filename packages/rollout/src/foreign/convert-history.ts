import {
  isToolCall,
  isToolOutput,
  type JournalEntry,
  readTexts,
  type ResponseItem,
  type ToolCallItem,
} from "@unroll/protocol";
import type { ToldCall } from "../line/parse-told-call.ts";
import { toShownCall, toShownItem } from "./parse-shown-item.ts";
import type { EndedCall } from "../line/parse-line.ts";
import { findRewind } from "./unroll-0-1/find-rewind.ts";

/** History in the words of other versions and programs, as a file has it. */
export interface ForeignHistory {
  readonly entries: readonly JournalEntry[];
  /** The turns whose items were kept as they were shown. */
  readonly shownTurns: ReadonlySet<string>;
  /** In their order: an id may come twice. */
  readonly ended: readonly EndedCall[];
  /** The same for what the Codex CLI told programs. */
  readonly told: readonly ToldCall[];
}

/**
 * Adds an `item.ended` for each output and action of the model, and a `thread.rewound` for each rewind. For threads of
 * unroll 0.1 and the Codex CLI, and for calls that were cut off, they are made here. Programs that show a thread read
 * nothing else.
 */
export function convertHistory({ entries, shownTurns, ended, told }: ForeignHistory): readonly JournalEntry[] {
  const outputs = listOutputs(entries);
  const shown = listShownCalls(entries);
  const ends = new Map(ended.toReversed().map((end) => [end.callId, end])); // the first word of a call is of that call
  const tellings = new Map(told.toReversed().map((each) => [each.callId, each]));
  const converted: JournalEntry[] = [];
  let turnId: string | null = null;
  let [count, isRewound] = [0, false];

  function toEnd(call: ToolCallItem): readonly JournalEntry[] {
    const output = outputs.get(call.call_id) ?? null;
    const id = `${turnId ?? "kept"}_item_${count++}`;
    const of = { ended: ends.get(call.call_id) ?? null, told: tellings.get(call.call_id) ?? null };
    const item = toShownCall({ call, id, output, ...of });
    return item.type === "todo_list"
      ? [{ type: "told", event: { type: "item.updated", item } }]
      : [{ type: "item.ended", item }];
  }

  const calls = new Map<string, ToolCallItem>();

  function convertItem(item: ResponseItem, next: ResponseItem | undefined): readonly JournalEntry[] {
    const isShown = turnId !== null && shownTurns.has(turnId);
    if (isToolCall(item)) {
      const isMissing = isShown ? !shown.has(item.call_id) && item.name !== "update_plan" : true;
      if (isMissing) calls.set(item.call_id, item);
      return [];
    }
    if (isToolOutput(item)) {
      const call = calls.get(item.call_id);
      calls.delete(item.call_id);
      return call === undefined ? [] : toEnd(call);
    }
    if (isShown) return [];
    const made = toShownItem(item, `${turnId ?? "kept"}_item_${count}`, next);
    if (made === null) return [];
    count += 1;
    return [{ type: "item.ended", item: made }];
  }

  for (const [at, entry] of entries.entries()) {
    if (entry.type === "turn.started" || entry.type === "turn.ended") {
      converted.push(...[...calls.values()].flatMap(toEnd));
      calls.clear();
    }
    if (entry.type === "turn.started") [turnId, count] = [entry.turnId, 0];
    if (entry.type === "thread.rewound") isRewound = true;
    if (entry.type === "epoch") {
      const rewound = isRewound || entry.isFinal ? null : findRewind(converted, entry.items);
      if (rewound !== null) converted.push({ type: "thread.rewound", turnId: rewound });
      isRewound = false;
    }
    converted.push(entry);
    if (entry.type === "item") {
      const next = entries[at + 1];
      converted.push(...convertItem(entry.item.item, next?.type === "item" ? next.item.item : undefined));
    }
  }
  return [...converted, ...[...calls.values()].flatMap(toEnd)];
}

function listOutputs(entries: readonly JournalEntry[]): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap((entry) => {
      if (entry.type !== "item" || !isToolOutput(entry.item.item)) return [];
      const { call_id: id, output } = entry.item.item;
      const text = typeof output === "string" ? output : readTexts(output).join("\n");
      return [[id, text] as const];
    }),
  );
}

/** Calls that ended, and commands that were left running. */
function listShownCalls(entries: readonly JournalEntry[]): ReadonlySet<string> {
  return new Set(
    entries.flatMap((entry) => {
      const shown = entry.type === "told" ? entry.event : entry;
      return "item" in shown && "call_id" in shown.item ? [shown.item.call_id] : [];
    }),
  );
}
