import { isCall } from "../decode/mend-call.ts";
import type { WireEnding, WrittenItem } from "../decode/wire-event.ts";
import { buildItem, completeItem, isSamePayload, saidBy, textOf } from "./complete-item.ts";
import { type StreamedItem, type Clue, isAlike, toItemClue } from "./streamed-item.ts";

/** The items of a response at its end. */
interface SettledItems {
  /** Items that are whole now, and not yet fully reported. */
  readonly whole: readonly { readonly item: StreamedItem; readonly written: WrittenItem }[];
  /** They were not streamed, and come behind the others. */
  readonly added: readonly WrittenItem[];
  /** Tools of calls that the end lists beside those of the stream. */
  readonly left: readonly string[];
}

/**
 * Fills gaps of the stream from the items that the end lists. In a response that ended too early,
 * only items that the end lists beyond the stream are whole: the rest was cut.
 */
export function settleItems(items: readonly StreamedItem[], { terminal, output }: WireEnding): SettledItems {
  const isComplete = terminal.type === "response.completed";
  if (!isComplete && terminal.type !== "response.incomplete") return { whole: [], added: [], left: [] };
  const { found, surplus } = matchOutput(items, output);
  const hasStreamed = items.some((item) => isCall(item) && (item.began !== null || item.ended !== null));
  const isListed = output.some(({ value }) => isCall(value));
  const whole = items.flatMap((item) => {
    const listed = found.get(item) ?? null;
    if (listed === null && isCall(item) && isPiece(item, { items, isListed, hasStreamed })) return [];
    const written = settleItem(item, listed, isComplete);
    return written === null ? [] : [{ item, written }];
  });
  const left = surplus.filter(({ value }) => isCall(value) && hasStreamed);
  const added = surplus.filter((written) => !left.includes(written) && !isEmpty(written));
  return { whole, added, left: left.map(({ value }) => String(value["name"] ?? value["type"])) };
}

/** Null: there is nothing to report. */
function settleItem(item: StreamedItem, listed: WrittenItem | null, isComplete: boolean): WrittenItem | null {
  if (item.ended !== null) {
    const whole = completeItem(item.ended, item); // text may have come behind its end
    const isGap = listed !== null && textOf(whole) === "" && textOf(listed) !== "";
    const filled = isGap ? toStreamed(listed, item) : whole;
    return filled === item.ended ? null : filled;
  }
  if (listed !== null) {
    const whole = completeItem(toStreamed(listed, item), item);
    return isComplete || textOf(whole).length > saidBy(item).length ? whole : null;
  }
  const built = buildItem(item);
  return isComplete && !isEmpty(built) ? built : null;
}

/** The end's version of an item, under the ids of the stream. */
function toStreamed({ value, readText }: WrittenItem, { callId }: StreamedItem): WrittenItem {
  if (callId === null || callId === value["call_id"]) return { value, readText };
  const renamed = { ...value, call_id: callId };
  return { value: renamed, readText: () => JSON.stringify(renamed) };
}

interface Surroundings {
  readonly items: readonly StreamedItem[];
  /** Whether the end lists calls, though not this one. */
  readonly isListed: boolean;
  /** Whether a call was announced or came whole. */
  readonly hasStreamed: boolean;
}

/** Whether what came of a call is of one that is known under another id: it would run twice. */
function isPiece(item: StreamedItem, { items, isListed, hasStreamed }: Surroundings): boolean {
  if (item.ended !== null) return false;
  const text = saidBy(item);
  const isSame = (other: StreamedItem): boolean =>
    other.ended !== null && isCall(other) && (saidBy(other).includes(text) || isSamePayload(saidBy(other), text));
  if (item.name === null && item.began === null) return items.some(isSame) || (isListed && !hasStreamed);
  return isListed && (!hasStreamed || text === "" || items.some((other) => other.name === item.name && isSame(other)));
}

/** An announcement that nothing followed, or a text without a word. */
function isEmpty(written: WrittenItem): boolean {
  const { type, encrypted_content: encrypted, name } = written.value;
  if (textOf(written) !== "" || (typeof encrypted === "string" && encrypted !== "")) return false;
  return type === "message" || type === "reasoning" || (isCall(written.value) && typeof name !== "string");
}

/** Which items that the end of an answer lists are those that were streamed. */
interface MatchedOutput {
  readonly found: ReadonlyMap<StreamedItem, WrittenItem>;
  /** In their order: they were not streamed. */
  readonly surplus: readonly WrittenItem[];
}

/**
 * By their ids; else the n-th message is the n-th streamed one, and so for each type; the n-th call of a tool is the n-th
 * streamed one of that tool. vLLM gives other ids there, also to calls.
 */
function matchOutput(items: readonly StreamedItem[], output: readonly WrittenItem[]): MatchedOutput {
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
