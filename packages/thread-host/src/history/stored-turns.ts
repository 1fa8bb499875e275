import {
  type JournalEntry,
  listStoredTurns,
  replayThread,
  type StoredThread,
  type ThreadItem,
  type TurnTerminalEvent,
  type UserInput,
  type UserInputPart,
} from "@unroll/protocol";
import { shortenText } from "@unroll/text";
import { ThreadHostError } from "../thread-host-error.ts";

/** A turn of a thread that is kept. */
export interface StoredTurn {
  readonly id: string;
  readonly steps: readonly StoredStep[];
  /** Null: it was cut off, or it runs. */
  readonly end: TurnTerminalEvent | null;
  /** In ms since 1970. Null: the file does not say, or it did not end. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

/** One thing of it. */
export type StoredStep =
  | { readonly type: "said"; readonly id: string; readonly input: readonly UserInputPart[] }
  | { readonly type: "item"; readonly item: ThreadItem }
  | { readonly type: "compacted"; readonly id: string };

/**
 * The turns of a thread without removed ones. A command or a sub-agent that ended after its turn is
 * listed in its own turn.
 */
export function readStoredTurns(entries: readonly JournalEntry[]): readonly StoredTurn[] {
  const turns: (StoredTurn & { end: StoredTurn["end"]; readonly steps: StoredStep[] })[] = [];
  const running = new Map<string, { readonly steps: StoredStep[]; readonly at: number }>();
  const [starts, ends] = [readTimes(entries, "turn.started"), readTimes(entries, "turn.ended")];
  for (const event of replayThread(entries)) {
    const turn = turns.at(-1);
    if (event.type === "turn.started")
      turns.push({
        id: event.turn_id,
        steps: [],
        end: null,
        startedAt: starts.get(event.turn_id) ?? null,
        endedAt: ends.get(event.turn_id) ?? null,
      });
    if (turn === undefined) continue;
    const { steps } = turn;
    const id = `${turn.id}_${steps.length}`;
    if (event.type === "turn.completed" || event.type === "turn.failed") turn.end = event;
    else if (event.type === "input.received") steps.push({ type: "said", id, input: event.input });
    else if (event.type === "compaction.completed") steps.push({ type: "compacted", id });
    else if (event.type === "item.updated") {
      const { item } = event;
      const known = running.get(item.id) ?? { steps, at: steps.length };
      if (item.type !== "todo_list") running.set(item.id, known);
      known.steps[known.at] = {
        type: "item",
        item: item.type === "todo_list" ? { ...item, id: `${item.id}_${steps.length}` } : item,
      };
    } else if (event.type === "item.completed" && event.item.type !== "todo_list") {
      const { item } = event;
      const left = running.get(item.id);
      running.delete(item.id);
      if (left === undefined) steps.push({ type: "item", item });
      else left.steps[left.at] = { type: "item", item };
    }
  }
  return turns;
}

function readTimes(entries: readonly JournalEntry[], type: "turn.started" | "turn.ended"): ReadonlyMap<string, number> {
  return new Map(
    entries.flatMap((entry) =>
      entry.type === type && entry.at !== undefined ? [[entry.turnId, entry.at] as const] : [],
    ),
  );
}

/** How many turns a thread had begun, up to this one. Throws `ThreadHostError` `turn_missing`. */
export function countTurns({ threadId, entries }: StoredThread, lastTurnId: string): number {
  const last = listStoredTurns(entries).find(({ id }) => id === lastTurnId);
  if (last !== undefined) return last.number;
  throw new ThreadHostError("turn_missing", `lastTurnId: the thread ${threadId} has no turn ${lastTurnId}.`);
}

/** The beginning of what you said first; empty where you said nothing. */
export function findPreview(entries: readonly JournalEntry[]): string {
  for (const event of replayThread(entries)) if (event.type === "input.received") return toPreview(event.input);
  return "";
}

const previewCharacters = 120;

/** The beginning of your own text, without parts that a program added. */
export function toPreview(input: UserInput): string {
  if (typeof input === "string") return shortenText(input, previewCharacters);
  const texts = input.flatMap((part) => (part.type === "text" && part.isAdded !== true ? [part.text] : []));
  return shortenText(texts.join(" "), previewCharacters);
}
