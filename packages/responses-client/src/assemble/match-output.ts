import { isCall } from "../decode/mend-call.ts";
import type { WrittenItem } from "../decode/wire-event.ts";
import { isSamePayload, saidBy, textOf } from "./complete-item.ts";
import { type Clue, isAlike, type StreamedItem, toItemClue } from "./streamed-item.ts";

/** Which items that the end of an answer lists are those that were streamed. */
export interface MatchedOutput {
  readonly found: ReadonlyMap<StreamedItem, WrittenItem>;
  /** In their order: they were not streamed. */
  readonly surplus: readonly WrittenItem[];
}

/**
 * By their ids; else the n-th message is the n-th streamed one, and so for each type; the n-th call of a tool is the n-th
 * streamed one of that tool. vLLM gives other ids there, also to calls.
 */
export function matchOutput(items: readonly StreamedItem[], output: readonly WrittenItem[]): MatchedOutput {
  const found = new Map<StreamedItem, WrittenItem>();
  let surplus = output;
  for (const isIt of ways) {
    surplus = surplus.filter((written) => {
      const listed = { clue: toItemClue({ item: written, fields: {} }), written };
      const item = items.find((each) => !found.has(each) && isAlike(each, listed.clue) && isIt(each, listed));
      if (item !== undefined) found.set(item, written);
      return item === undefined;
    });
  }
  return { found, surplus };
}

type Way = (item: StreamedItem, listed: { readonly clue: Clue; readonly written: WrittenItem }) => boolean;

const isOfId: Way = ({ ids, callId, name, ended }, { clue }) => {
  const own = ended?.value["id"];
  const isSame =
    (clue.id !== null && (typeof own === "string" ? own === clue.id : ids.has(clue.id))) ||
    (clue.callId !== null && clue.callId === callId);
  return isSame && (name === null || clue.name === null || name === clue.name);
};
const isOfName: Way = ({ name }, { clue }) => name === clue.name;
const isOfText: Way = (item, listed) => isOfName(item, listed) && isSamePayload(saidBy(item), textOf(listed.written));
const isWholeOfText: Way = (item, listed) => item.ended !== null && isOfText(item, listed);
/** A call of which only arguments came. */
const isWithoutName: Way = ({ name, type }) => name === null && isCall({ type });

/** The surest first. */
const ways: readonly Way[] = [isOfId, isWholeOfText, isOfText, isOfName, isWithoutName];
