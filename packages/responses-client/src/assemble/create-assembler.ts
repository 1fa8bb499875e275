import { decodeItem } from "../decode/decode-item.ts";
import { mendCall } from "../decode/mend-call.ts";
import type { WireEnding, WireItem, WrittenItem } from "../decode/wire-event.ts";
import { completeItem, saidBy, textOf } from "./complete-item.ts";
import { createTexts, type Texts, createDeltaMerger, type OngoingEvent } from "./create-texts.ts";
import { findForBegin, findForEnd } from "./find-item.ts";
import { settleItems } from "./settle-items.ts";
import { isFull, keepItem, type StreamedItem, toItemClue } from "./streamed-item.ts";

/**
 * Assembles the items of one response from a server's events. The resulting events have all ids and
 * indexes; `output_index` is the item's number by first appearance. Text is passed on as it
 * arrives. Every item of a complete response gets a `response.output_item.done`; if one gets two,
 * the later one counts.
 */
export interface Assembler extends Texts {
  /** More items came than any answer has: nothing more is received. */
  readonly isFull: boolean;
  receiveItem(event: WireItem): void;
  /** The answer is over. Returns the tools of the calls that only its end lists, beside others: they are left out. */
  settle(ending: WireEnding): readonly string[];
  /** The events since the last call. */
  take(): readonly OngoingEvent[];
}

export function createAssembler(): Assembler {
  const items: StreamedItem[] = [];
  const row = createDeltaMerger();
  const texts = createTexts(items, row);

  function tellWhole(item: StreamedItem, written: WrittenItem): void {
    const { value, readText } = written;
    item.ended = written;
    const whole = mendCall(written) ?? decodeItem(value, () => readText() ?? JSON.stringify(value));
    if (whole !== null) row.push({ type: "response.output_item.done", output_index: item.number, item: whole });
  }

  function beginItem(event: WireItem): void {
    const clue = toItemClue(event);
    const item = keepItem(items, findForBegin(items, clue), clue);
    item.began ??= event.item;
    const { type, name } = clue;
    const { id } = event.item.value;
    const said = { type, ...(typeof id === "string" && { id }), ...(name !== null && { name }) };
    row.push({ type: "response.output_item.added", output_index: item.number, item: said });
  }

  function endItem(event: WireItem): void {
    const clue = toItemClue(event);
    const text = textOf(event.item);
    const found = findForEnd(items, clue, text);
    if (found !== null && found.ended !== null && text.length <= saidBy(found).length) return;
    const item = keepItem(items, found, clue);
    tellWhole(item, completeItem(event.item, item));
  }

  return {
    ...texts,
    receiveItem(event) {
      texts.pause();
      if (event.type === "item.began") beginItem(event);
      else endItem(event);
    },
    settle(ending) {
      texts.pause();
      const { whole, added, left } = settleItems(items, ending);
      for (const { item, written } of whole) tellWhole(item, written);
      for (const written of added) tellWhole(keepItem(items, null, toItemClue({ item: written, fields: {} })), written);
      return left;
    },
    take: () => row.take(),
    get isFull() {
      return isFull(items);
    },
  };
}
