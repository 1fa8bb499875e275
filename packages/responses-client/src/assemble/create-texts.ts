import type { ResponseDeltaEvent, ResponseEvent, ResponseTerminalEvent } from "@unroll/protocol";
import { type Fields, textTypes, type TextType, type WireDelta, type WireText } from "../decode/wire-event.ts";
import { choosePayload, saidBy } from "./complete-item.ts";
import { findForText } from "./find-item.ts";
import {
  type Clue,
  isAlike,
  isFull,
  keepItem,
  placeOf,
  type StreamedItem,
  type TextPart,
  toTextClue,
} from "./streamed-item.ts";

/** The texts of the items of one answer, as they grow. */
export interface Texts {
  receiveDelta(event: WireDelta): void;
  receiveText(event: WireText): void;
  /** All that came is in its text; what comes next may be of another one. */
  pause(): void;
}

/** `items`: those of the answer so far; texts of unknown items add to them. */
export function createTexts(items: StreamedItem[], row: DeltaMerger): Texts {
  /** Nearly every delta continues the one before. */
  let last: { readonly event: WireDelta; readonly part: TextPart } | null = null;

  function pause(): void {
    last = null;
    row.close();
  }

  function openPart(type: TextType, fields: Fields, { whole, isOther }: PartSearch): TextPart {
    const clue = toTextClue(type.item, fields);
    const item = keepItem(items, findForText(items, clue, whole), clue);
    const summaryIndex = readSummaryIndex(type, fields);
    const alike = item.parts.filter((part) => part.type === type);
    const found = findPart(alike, summaryIndex);
    if (found !== null && !isOther(found)) {
      found.summaryIndex ??= summaryIndex;
      return found;
    }
    const part: TextPart = { item, type, summaryIndex, text: "" };
    item.parts.push(part);
    if (type.kind === "summary_text" && (alike.length > 0 || fields["delta"] === undefined)) {
      const place = { ...placeOf(item), summary_index: summaryIndex ?? alike.length };
      row.push({ type: "response.reasoning_summary_part.added", ...place });
    }
    return part;
  }

  function grow(part: TextPart, delta: string): void {
    const { told: type } = part.type;
    if (type === null) part.text += delta;
    else if (delta !== "") row.pushDelta({ type, ...placeOf(part.item), delta }, part);
  }

  return {
    receiveDelta(event) {
      if (last === null || !isSamePlace(last.event, event)) {
        pause();
        const type = textTypes.get(event.type);
        if (type === undefined || isFull(items)) return;
        last = { event, part: openPart(type, event, { whole: "", isOther: () => false }) };
      } else if (event["item_id"]) last.part.item.hasSteadyId = true;
      const { part } = last;
      if (isInPlace(event, part)) row.pushDelta(event, part);
      else grow(part, event.delta);
    },
    receiveText({ type, part: kind, text, fields }) {
      pause();
      if (isKnown(items, toTextClue(kind.item, fields), text)) return;
      const isOther = ({ text: said, summaryIndex }: TextPart): boolean =>
        type === "part.began" && said !== "" && summaryIndex === null;
      const part = openPart(kind, fields, { whole: text, isOther });
      grow(part, takeMore(part, text));
    },
    pause,
  };
}

interface PartSearch {
  /** The text, where it comes as a whole. */
  readonly whole: string;
  /** Whether the part that was found is another one. */
  readonly isOther: (found: TextPart) => boolean;
}

function isSamePlace(left: WireDelta, right: WireDelta): boolean {
  return (
    left.type === right.type &&
    left["item_id"] === right["item_id"] &&
    left["output_index"] === right["output_index"] &&
    left["summary_index"] === right["summary_index"]
  );
}

/** Whether a delta can be passed on unchanged. */
function isInPlace(event: WireDelta, { item, type }: TextPart): event is WireDelta & ResponseDeltaEvent {
  return event.type === type.told && event["output_index"] === item.number && typeof event["item_id"] === "string";
}

/** Only parts of a summary have an index that can be trusted: vLLM gives each piece of a text a `content_index` of its own. */
function readSummaryIndex({ kind }: TextType, { summary_index: index }: Fields): number | null {
  return kind === "summary_text" && typeof index === "number" ? index : null;
}

/** The last one, or that of the index; one that came without its index is in its place. */
function findPart(parts: readonly TextPart[], index: number | null): TextPart | null {
  if (index === null) return parts.at(-1) ?? null;
  const placed = parts[index] ?? null;
  return parts.find(({ summaryIndex }) => summaryIndex === index) ?? (placed?.summaryIndex === null ? placed : null);
}

/**
 * Whether the beginning or end of a text says nothing new: it is of an item that is whole and has it, or an empty part of
 * another kind (vLLM announces reasoning as text of a message).
 */
function isKnown(items: readonly StreamedItem[], clue: Clue, text: string): boolean {
  const found = findForText(items, clue, text);
  if (found !== null && found.ended === null) return false;
  const isOther = (item: StreamedItem): boolean => text === "" && clue.id !== null && item.ids.has(clue.id);
  const has = (item: StreamedItem): boolean =>
    item.ended !== null && isAlike(item, clue) && saidBy(item).includes(text);
  return items.some((item) => isOther(item) || has(item));
}

/** The part of a whole text that has not arrived yet. A longer text that differs replaces the earlier one. */
function takeMore(part: TextPart, whole: string): string {
  const { item, type, text } = part;
  const said = item.parts.map((each) => (each.type === type ? each.text : "")).join("");
  if (said.includes(whole)) return "";
  if (whole.startsWith(text)) return whole.slice(text.length);
  part.text = choosePayload(type.kind, text, whole);
  return "";
}

/** The events of a response until it ends; its end is the outcome. */
export type OngoingEvent = Exclude<ResponseEvent, ResponseTerminalEvent>;

/**
 * Puts events in a row, in their order. Deltas of one text that follow each other become one: all who are behind pay for each
 * event by promises and objects of their own, and where a server cuts a text means nothing.
 */
interface DeltaMerger {
  push(event: OngoingEvent): void;
  /**
   * `part`: the text that continues; it grows with the next event of another part, or at the latest
   * with `take`.
   */
  pushDelta(event: ResponseDeltaEvent, part: TextPart): void;
  /** Adds what came to its text. */
  close(): void;
  /** Takes out the row. */
  take(): readonly OngoingEvent[];
}

export function createDeltaMerger(): DeltaMerger {
  let events: OngoingEvent[] = [];
  /** The delta that may continue, and its text. */
  let open: ResponseDeltaEvent | null = null;
  let text: TextPart | null = null;
  /** Its continuation. Joined at the end: a string built piece by piece is stored as its pieces. */
  let more: string[] = [];

  function close(): void {
    if (open === null || text === null) return;
    const event = more.length === 0 ? open : { ...open, delta: open.delta + more.join("") };
    text.text += event.delta;
    events.push(event);
    if (more.length > 0) more = [];
    open = null;
    text = null;
  }

  return {
    push(event) {
      close();
      events.push(event);
    },
    pushDelta(event, part) {
      if (part === text) {
        if (event.delta !== "") more.push(event.delta);
        return;
      }
      close();
      open = event;
      text = part;
    },
    close,
    take() {
      close();
      const taken = events;
      events = [];
      return taken;
    },
  };
}
