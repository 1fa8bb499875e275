import { isCall } from "../decode/mend-call.ts";
import { isSamePayload, saidBy } from "./complete-item.ts";
import { type Clue, isAlike, type StreamedItem } from "./streamed-item.ts";

/**
 * The item that an event about a text belongs to: by its id, else by its index, else the last open item of its type; null:
 * one that did not come before. `whole`: the text, where it comes as a whole; empty: it does not.
 */
export function findForText(items: readonly StreamedItem[], clue: Clue, whole = ""): StreamedItem | null {
  const alike = items.filter((item) => isAlike(item, clue));
  const named = findById(alike, clue);
  if (named !== null) return named;
  const open = alike.filter((item) => isOpen(item) && mayBe(item, clue));
  const placed = open.findLast(({ index }) => index !== null && index === clue.index);
  const isLikely = (item: StreamedItem): boolean => agrees(item, clue) || whole.includes(saidBy(item));
  return placed ?? (isNamedAnew(alike, clue) ? null : (open.findLast(isLikely) ?? null));
}

/** The item that is announced, where something of it came before. */
export function findForBegin(items: readonly StreamedItem[], clue: Clue): StreamedItem | null {
  const open = items.filter((item) => isAlike(item, clue) && isOpen(item) && !denies(item, clue));
  const named = findById(open, clue);
  if (named !== null) return named.began === null || agrees(named, clue) ? named : null;
  const placed = open.filter(({ index, began }) => began === null && index !== null && index === clue.index);
  return placed.find((item) => mayBe(item, clue)) ?? null;
}

/**
 * The item that is whole now: by its id, else by its index or call id, else an open item of its type, one with this text before
 * any other. An item that was whole before is found by what is the same in both.
 */
export function findForEnd(items: readonly StreamedItem[], clue: Clue, text: string): StreamedItem | null {
  const alike = items.filter((item) => isAlike(item, clue));
  const open = alike.filter(isOpen);
  const likely = open.filter((item) => !denies(item, clue));
  const named = findById(likely, clue) ?? findById(open, clue); // vLLM gives a call another call id at its end
  if (named !== null) return named;
  const repeated = alike.find((item) => !isOpen(item) && !denies(item, clue) && isRepeat(item, clue, text));
  if (repeated !== undefined) return repeated;
  const placed = likely.find(({ index }) => index !== null && index === clue.index);
  const called = likely.find(({ callId }) => callId !== null && callId === clue.callId);
  const said = (clue.id === null ? open : likely).find((item) => item.name === clue.name && says(item, text));
  if (placed || called || said) return placed ?? called ?? said ?? null;
  const left = isNamedAnew(alike, clue) ? [] : likely;
  const goesWith = (item: StreamedItem): boolean => item.ids.size === 0 || text.includes(saidBy(item));
  return left.find((item) => clue.id === null || (agrees(item, clue) && goesWith(item))) ?? null;
}

/** The latest of this id; one of the same index before others. Servers that give all items one id differ in the index. */
function findById(items: readonly StreamedItem[], { id, index }: Clue): StreamedItem | null {
  if (id === null) return null;
  const named = items.filter((item) => item.ids.has(id) || item.callId === id);
  const placed = named.findLast((item) => item.index === index);
  return placed ?? named.findLast((item) => isOpen(item) || item.index === null || index === null) ?? null;
}

function isOpen({ ended }: StreamedItem): boolean {
  return ended === null;
}

/** False where the event has an id, and the item another one that its events keep. */
function mayBe({ hasSteadyId, ids }: StreamedItem, { id }: Clue): boolean {
  return id === null || !hasSteadyId || ids.has(id);
}

/** Whether an event has an id of its own, though other events of such items share theirs. */
function isNamedAnew(alike: readonly StreamedItem[], { id }: Clue): boolean {
  return id !== null && alike.some(({ hasSteadyId }) => hasSteadyId);
}

/** False where both have an index, and not the same. */
function agrees(item: StreamedItem, { index }: Clue): boolean {
  return item.index === null || index === null || item.index === index;
}

/** Whether they are calls of two ids or tools. */
function denies(item: StreamedItem, { callId, name }: Clue): boolean {
  return differ(item.callId, callId) || differ(item.name, name);
}

function differ(left: string | null, right: string | null): boolean {
  return left !== null && right !== null && left !== right;
}

/** Whether a server says again that an item is whole: something that both have is the same, and nothing differs. */
function isRepeat(item: StreamedItem, clue: Clue, text: string): boolean {
  const { id, index, callId } = clue;
  if (!agrees(item, clue) || (id !== null && item.ids.size > 0 && !item.ids.has(id))) return false;
  const hasId = id !== null && item.ids.has(id);
  const hasCallId = callId !== null && item.callId === callId;
  if (hasId && hasCallId) return true;
  const said = saidBy(item);
  const isSame = isCall(item) ? isSamePayload(said, text) : said.startsWith(text) || text.startsWith(said);
  return isSame && (hasId || hasCallId || (index !== null && item.index === index));
}

function says(item: StreamedItem, text: string): boolean {
  const said = saidBy(item);
  return said !== "" && isSamePayload(said, text);
}
