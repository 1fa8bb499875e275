import {
  type JournalEntry,
  listStoredTurns,
  replayThread,
  type StoredThread,
  type ThreadEvent,
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
}

/** One thing of it. */
export type StoredStep =
  | { readonly type: "said"; readonly id: string; readonly input: readonly UserInputPart[] }
  | { readonly type: "item"; readonly item: ThreadItem }
  | { readonly type: "compacted"; readonly id: string };

/** The turns of a thread, of the entries of its journal, but those that were taken back. */
export function readStoredTurns(entries: readonly JournalEntry[]): readonly StoredTurn[] {
  const turns: StoredTurn[] = [];
  for (const event of replayThread(entries)) {
    const turn = turns.at(-1);
    if (event.type === "turn.started") turns.push({ id: event.turn_id, steps: [], end: null });
    else if (turn !== undefined) turns.splice(-1, 1, addEvent(turn, event));
  }
  return turns;
}

function addEvent(turn: StoredTurn, event: ThreadEvent): StoredTurn {
  if (event.type === "turn.completed" || event.type === "turn.failed") return { ...turn, end: event };
  const step = toStep(event, `${turn.id}_${turn.steps.length}`);
  return step === null ? turn : { ...turn, steps: [...turn.steps, step] };
}

function toStep(event: ThreadEvent, id: string): StoredStep | null {
  if (event.type === "input.received") return { type: "said", id, input: event.input };
  if (event.type === "compaction.completed") return { type: "compacted", id };
  return event.type === "item.completed" ? { type: "item", item: event.item } : null;
}

/** How many turns were begun in a thread up to this one. Throws `ThreadHostError` `turn_missing`. */
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

export function toPreview(input: UserInput): string {
  if (typeof input === "string") return shortenText(input, previewCharacters);
  const texts = input.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return shortenText(texts.join(" "), previewCharacters);
}
