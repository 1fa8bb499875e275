import { isCall } from "../decode/mend-call.ts";
import { parseJson, sliceMember } from "../decode/slice-json.ts";
import { type Fields, isFields, partTypes, type PartKind, type WrittenItem } from "../decode/wire-event.ts";
import type { StreamedItem } from "./streamed-item.ts";

type Texts = readonly { readonly kind: PartKind; readonly text: string }[];

/**
 * An item as a server gave it, with what it lacks of what was streamed: a role, the id and name of a call, and any text that
 * was longer. The same object where it lacks nothing.
 */
export function completeItem(given: WrittenItem, item: StreamedItem): WrittenItem {
  const { value } = given;
  const streamed = item.parts.flatMap(({ type: { kind }, text }) => (text === "" ? [] : [{ kind, text }]));
  const lacking = findLacking(given, item, streamed);
  if (lacking === null) return given;
  const whole = { ...value, ...lacking };
  return { value: whole, readText: () => JSON.stringify(whole) };
}

/** The item of an answer whose server never said that it was whole. */
export function buildItem(item: StreamedItem): WrittenItem {
  const [id] = item.ids;
  const { type, began } = item;
  const isBegun = began?.value["status"] === "in_progress";
  const value = {
    ...(began?.value ?? { ...(id !== undefined && { id }), type }),
    ...(isBegun && { status: "completed" }),
  };
  return completeItem(
    { value, readText: isBegun || began === null ? () => JSON.stringify(value) : began.readText },
    item,
  );
}

/** All text that a person or a tool would get of an item; empty for items of other kinds. */
export function textOf({ value, readText }: WrittenItem): string {
  if (isCall(value)) return payloadOf({ value, readText }, payloadKind(value));
  return [value["summary"], value["content"]].flatMap((list) => listTexts(list) ?? []).join("");
}

/** All text of an item that came so far. */
export function saidBy({ ended, parts }: StreamedItem): string {
  return ended === null ? parts.map(({ text }) => text).join("") : textOf(ended);
}

/** Whether two payloads of calls mean the same: JSON may be written in more than one way. */
export function isSamePayload(left: string, right: string): boolean {
  if (left === right) return true;
  const [first, second] = [parseJson(left), parseJson(right)];
  return first !== undefined && second !== undefined && JSON.stringify(first) === JSON.stringify(second);
}

function findLacking(given: WrittenItem, item: StreamedItem, streamed: Texts): Fields | null {
  const { value } = given;
  if (isCall(value)) return findInCall(given, item, streamed);
  if (value["type"] === "message") return findInMessage(value, streamed);
  return value["type"] === "reasoning" ? findInReasoning(value, streamed) : null;
}

function findInMessage({ role, content }: Fields, streamed: Texts): Fields | null {
  const said = content === undefined || content === null ? [] : listTexts(content);
  const isShorter = said !== null && lengthOf(said) < lengthOf(streamed.map(({ text }) => text));
  if (role !== undefined && !isShorter) return null;
  return { ...(role === undefined && { role: "assistant" }), ...(isShorter && { content: streamed.map(toPart) }) };
}

/** A text that came as a summary may be given as content, or the other way round. */
function findInReasoning({ summary, content }: Fields, streamed: Texts): Fields | null {
  const given = Math.max(...[summary, content].map((list) => lengthOf(listTexts(list) ?? [])));
  const lost = (kind: PartKind): Texts | null => {
    const texts = streamed.filter((part) => part.kind === kind);
    return lengthOf(texts.map(({ text }) => text)) > given ? texts : null;
  };
  const [lostSummary, lostContent] = [lost("summary_text"), lost("reasoning_text")];
  if (Array.isArray(summary) && lostSummary === null && lostContent === null) return null;
  return {
    ...((lostSummary !== null || !Array.isArray(summary)) && { summary: (lostSummary ?? []).map(toPart) }),
    ...(lostContent !== null && { content: lostContent.map(toPart) }),
  };
}

function findInCall(given: WrittenItem, { callId, name }: StreamedItem, streamed: Texts): Fields | null {
  const { value } = given;
  const kind = payloadKind(value);
  const said = payloadOf(given, kind);
  const payload = choosePayload(kind, said, streamed.map(({ text }) => text).join(""));
  const lacking = {
    ...(callId !== null && !isName(value["call_id"]) && { call_id: callId }),
    ...(name !== null && !isName(value["name"]) && { name }),
    ...(payload !== said && { [kind]: payload }),
  };
  return Object.keys(lacking).length === 0 ? null : lacking;
}

/** The longer text. Arguments are a value: whole JSON that says something comes before longer text. */
export function choosePayload(kind: PartKind, said: string, streamed: string): string {
  if (streamed === "" || said === streamed) return said;
  const whole = kind === "arguments" ? [said, streamed].find(isWholeJson) : undefined;
  return whole ?? (streamed.length > said.length ? streamed : said);
}

function isWholeJson(text: string): boolean {
  const value = parseJson(text);
  return value !== undefined && !(isFields(value) && Object.keys(value).length === 0);
}

function payloadKind({ type }: Fields): "arguments" | "input" {
  return type === "custom_tool_call" ? "input" : "arguments";
}

function payloadOf({ value, readText }: WrittenItem, kind: "arguments" | "input"): string {
  const given = value[kind];
  if (typeof given === "string") return given;
  return given === undefined || given === null ? "" : (sliceMember(readText() ?? "", kind) ?? "");
}

/** Null if one of the parts is not text: such a list stays unchanged. */
function listTexts(list: unknown): readonly string[] | null {
  if (!Array.isArray(list)) return null;
  const texts = list.map((part: unknown) => (isFields(part) && partTypes.has(part["type"]) ? readPart(part) : null));
  return texts.includes(null) ? null : texts.filter((text) => text !== null);
}

function readPart({ text, refusal }: Fields): string | null {
  const said = text ?? refusal;
  return typeof said === "string" ? said : null;
}

function toPart({ kind, text }: Texts[number]): Fields {
  return kind === "refusal" ? { type: kind, refusal: text } : { type: kind, text };
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
