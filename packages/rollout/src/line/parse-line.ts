import {
  type CompletedRequest,
  approvalPolicies,
  type JournalEntry,
  isKnownItem,
  parseRequestHead,
  parseSentItem,
  type RecordedSettings,
  type RequestForm,
  type ResponseItem,
  sandboxModes,
  type SentItem,
  type ThreadNoteValues,
  type TurnOutcome,
  type ItemStatus,
  type StoredEvent,
  parseAuthor,
} from "@unroll/protocol";
import type { PackedItem } from "./shown-ranges.ts";

/** How a call ended, as unroll 0.1 wrote it down: a line of its own, without the item. */
export interface EndedCall {
  readonly callId: string;
  readonly status: Exclude<ItemStatus, "in_progress">;
  /** Of a command; null: it is none, or was stopped or never ran. */
  readonly exitCode: number | null;
  /** Null: there is none. */
  readonly reason: string | null;
}

/** What a line says: an entry, nothing that we need (`skipped`), or nothing that can be read. */
export type ParsedLine =
  | { readonly type: "entry"; readonly entry: JournalEntry }
  /** A turn ended, with what the model said last in it. */
  | { readonly type: "completed"; readonly entry: CompletedTurn }
  /** Another program began an epoch, and says of it only this. */
  | { readonly type: "summary"; readonly summary: string }
  /** An item as it was shown; its texts may stand elsewhere in the file. */
  | { readonly type: "shown"; readonly packed: PackedItem }
  /** `hasShown`: what was shown in the turn is kept. */
  | {
      readonly type: "turn";
      readonly entry: Extract<JournalEntry, { readonly type: "turn.started" }>;
      readonly hasShown: boolean;
    }
  /** As unroll 0.1 wrote down how a call ended. */
  | { readonly type: "ended_call"; readonly ended: EndedCall }
  | { readonly type: "skipped" }
  /** A request head that is none: no request can begin with it. */
  | { readonly type: "damaged_head" }
  | { readonly type: "unreadable" };

type Completed = Extract<TurnOutcome, { readonly type: "completed" }>;
type CompletedTurn = Omit<Extract<JournalEntry, { readonly type: "turn.ended" }>, "outcome"> & {
  readonly outcome: Omit<Completed, "finalMessage">;
};
type ThreadOpened = Extract<JournalEntry, { readonly type: "thread.opened" }>;
type Fields = Readonly<Record<string, unknown>>;

const skipped: ParsedLine = { type: "skipped" };
const unreadable: ParsedLine = { type: "unreadable" };
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
/** How our lines begin, and those of the Codex CLI. */
const opening = /^\{"timestamp":"[^"]*","type":"([a-z_]+)",(?:"ordinal":\d+,)?(?:"author":(\{[^{}]*\}),)?"payload":/;
const longestOpening = 384;

/** `line`: without its end. Items keep the bytes that stand in it. Other fields than these, and other types, are let be. */
export function parseLine(line: Uint8Array): ParsedLine {
  try {
    return parseSliced(line) ?? parseWhole(line);
  } catch {
    return unreadable;
  }
}

/** Where the payload comes last, as it does but for a few lines: only that is parsed. Null: not so. */
function parseSliced(line: Uint8Array): ParsedLine | null {
  const found = opening.exec(
    Buffer.from(line.buffer, line.byteOffset, Math.min(line.length, longestOpening)).toString("latin1"),
  );
  if (found === null) return null;
  const [{ length }, type = "", author = "{}"] = found;
  if (type === "event_msg") return skipped;
  const bytes = line.subarray(length, -1);
  const payload = parseObject(decoder.decode(bytes));
  return payload && toParsed(type, payload, { bytes, line, sending: { author: parseObject(author) } });
}

function parseWhole(line: Uint8Array): ParsedLine {
  const whole = parseObject(decoder.decode(line));
  if (whole === null) return unreadable;
  const { type, payload, original } = whole;
  if (typeof type !== "string" || !isFields(payload)) return skipped;
  return toParsed(type, payload, { bytes: readOriginal(original) ?? toOwnBytes(payload), line, sending: whole });
}

interface LineBytes {
  /** The payload's. */
  readonly bytes: Uint8Array;
  readonly line: Uint8Array;
  /** What stands beside the payload; absent: nothing. */
  readonly sending?: Fields;
}

function toParsed(type: string, payload: Fields, { bytes, line, sending = {} }: LineBytes): ParsedLine {
  switch (type) {
    case "session_meta":
    case "unroll":
      return toOwn(type === "session_meta" ? { ...payload, type: "meta" } : payload);
    case "response_item":
      // what the Codex CLI keeps for itself
      return payload["type"] === "ghost_snapshot"
        ? skipped
        : { type: "entry", entry: { type: "item", item: withSending(toSentItem(payload, bytes), sending) } };
    case "compacted":
      return toEpoch(payload, line);
    case "turn_context":
      return toSettings(payload);
  }
  return skipped;
}

/** What a later version, or another program, writes in other words is passed over: nothing is gone on with by it. */
function toSettings(payload: Fields): ParsedLine {
  const { cwd, model, approval_policy: approvalPolicy, sandbox_policy: policy, effort, summary } = payload;
  const { verbosity, reasoning_context: reasoningContext } = payload;
  const sandboxMode = isFields(policy) ? policy["type"] : null;
  const isKnown = typeof cwd === "string" && typeof model === "string" && isOneOf(approvalPolicies, approvalPolicy);
  if (!isKnown || !isOneOf(sandboxModes, sandboxMode)) return skipped;
  const sent = {
    reasoningEffort: typeof effort === "string" ? effort : null,
    reasoningSummary: summary ?? "auto",
    ...(isOneOf(verbosities, verbosity) && { verbosity }),
    ...(isOneOf(reasoningContexts, reasoningContext) && { reasoningContext }),
  };
  const settings = { cwd, model, approvalPolicy, sandboxMode, ...sent } as RecordedSettings;
  return { type: "entry", entry: { type: "settings", settings } };
}

const keptEvents: readonly unknown[] = [
  "item.updated",
  "question.asked",
  "question.answered",
  "compaction.started",
  "compaction.completed",
  "epoch.opened",
] satisfies readonly StoredEvent["type"][];
const verbosities: readonly unknown[] = ["low", "medium", "high", null];
const reasoningContexts: readonly unknown[] = ["auto", "all_turns", "current_turn", null];

function isOneOf(names: readonly unknown[], value: unknown): boolean {
  return names.includes(value);
}

function toOwn(payload: Fields): ParsedLine {
  switch (payload["type"]) {
    case "meta":
    case "head": {
      const { head } = payload;
      const [threadId, model, provider] = ["id", "model", "model_provider"].map((key) => toText(payload[key]));
      const sent = typeof head === "string" ? parseRequestHead(encoder.encode(head)) : null;
      if (typeof head === "string" && sent === null) return { type: "damaged_head" };
      const form = isForm(payload["form"]) ? { form: payload["form"] } : {};
      const opened = { threadId, model, provider, head: sent, ...form } as Omit<ThreadOpened, "type">;
      return { type: "entry", entry: { type: "thread.opened", ...opened } };
    }
    case "note": {
      const key = payload["key"] as keyof ThreadNoteValues;
      const value = payload["value"] as ThreadNoteValues[typeof key];
      const { authors } = payload;
      const authored =
        Array.isArray(value) && Array.isArray(authors) ? value.map((item, n) => parseAuthor(item, authors[n])) : value;
      return { type: "entry", entry: { type: "note", key, value: authored as typeof value } };
    }
    case "request":
      return { type: "entry", entry: { type: "request", request: toRequest(payload) } };
    case "call.ended":
      return toEndedCall(payload);
    case "item.ended": {
      const { item, ranges = [] } = payload;
      return { type: "shown", packed: { item, ranges } as PackedItem };
    }
    case "told": {
      const { event } = payload;
      return isFields(event) && keptEvents.includes(event["type"])
        ? { type: "entry", entry: { type: "told", event: event as unknown as StoredEvent } }
        : skipped;
    }
    case "thread.rewound":
      return { type: "entry", entry: { type: "thread.rewound", turnId: String(payload["turn_id"]) } };
    case "epoch.undone": {
      const { added } = payload;
      const items = Array.isArray(added) ? { added: added.map(parseSentItem).filter((item) => item !== null) } : {};
      return { type: "entry", entry: { type: "epoch.undone", ...items } };
    }
    case "turn.started":
      return {
        type: "turn",
        entry: { type: "turn.started", turnId: String(payload["turn_id"]) },
        hasShown: payload["has_shown"] === true,
      };
    case "items.reserved":
      return { type: "entry", entry: { type: "items.reserved", nextItem: Number(payload["next_item"]) } };
    case "turn.ended": {
      const ended = { type: "turn.ended", turnId: String(payload["turn_id"]) } as const;
      const nextItem = Number(payload["next_item"]);
      const outcome = payload["outcome"] as TurnOutcome | CompletedTurn["outcome"];
      return outcome.type === "completed" && !("finalMessage" in outcome)
        ? { type: "completed", entry: { ...ended, outcome, nextItem } }
        : { type: "entry", entry: { ...ended, outcome, nextItem } };
    }
  }
  return skipped;
}

function toRequest(payload: Fields): CompletedRequest {
  const { response_id: responseId, model, model_provider: provider, service_tier: serviceTier } = payload;
  const { sent_at: sentAt, usage, cache, is_beside: isBeside, is_inherited: isInherited } = payload;
  const told = { responseId, model, provider, serviceTier, sentAt, usage, cache, isBeside, isInherited };
  const request = told as CompletedRequest;
  if (!isFields(cache) || "cache_write_tokens" in cache) return request;
  return { ...request, cache: { ...request.cache, cache_write_tokens: guessWritten(request) } };
}

/** Of an older version, which wrote 0 also where the server had not said. */
function guessWritten({ usage }: CompletedRequest): number | null {
  const counted = usage?.cache_write_input_tokens ?? 0;
  return counted > 0 ? counted : null;
}

const statuses: readonly EndedCall["status"][] = ["completed", "failed", "declined"];

/** As with settings: what is not known is passed over. */
function toEndedCall({ call_id: callId, status, exit_code: exitCode, reason }: Fields): ParsedLine {
  if (typeof callId !== "string" || !isOneOf(statuses, status)) return skipped;
  const ended = {
    callId,
    status,
    exitCode: typeof exitCode === "number" ? exitCode : null,
    reason: typeof reason === "string" ? reason : null,
  } as EndedCall;
  return { type: "ended_call", ended };
}

function toEpoch(payload: Fields, line: Uint8Array): ParsedLine {
  const { message, is_final: isFinal, replacement_history: history, lengths, originals, sendings } = payload;
  if (!Array.isArray(history)) return typeof message === "string" ? { type: "summary", summary: message } : skipped;
  const values = history.filter(isFields);
  const cause = typeof message === "string" ? message : "";
  const items =
    Array.isArray(lengths) && isFields(originals)
      ? sliceItems(values, lengths as readonly number[], { line, originals, sendings: toFields(sendings) })
      : values.map((value) => toSentItem(value, toOwnBytes(value)));
  return { type: "entry", entry: { type: "epoch", cause, isFinal: isFinal === true, items } };
}

interface EpochLine {
  readonly line: Uint8Array;
  readonly originals: Fields;
  /** By the places of items, how they were sent where that is another thing. */
  readonly sendings: Fields;
}

/** The items stand at the end of the line, a comma between each two. */
function sliceItems(
  values: readonly Fields[],
  lengths: readonly number[],
  { line, originals, sendings }: EpochLine,
): readonly SentItem[] {
  const total = lengths.reduce((sum, length) => sum + length + 1, 0) - 1;
  let at = line.length - "]}}".length - total;
  return values.map((value, n) => {
    const start = at;
    at += (lengths[n] ?? 0) + 1;
    const bytes = readOriginal(originals[n]) ?? line.subarray(start, at - 1);
    return withSending(toSentItem(value, isObject(bytes) ? bytes : toOwnBytes(value)), toFields(sendings[n]));
  });
}

/** An item with what a line says of how it was sent; what cannot be read of that counts for nothing, and it is sent as it is. */
function withSending(kept: SentItem, { sent, maker, author }: Fields): SentItem {
  const { text, joins, ours } = toFields(sent);
  const isLowered = typeof text === "string" && typeof joins === "boolean" && typeof ours === "number";
  const { provider, model } = toFields(maker);
  const isMade = typeof provider === "string" && typeof model === "string";
  return {
    ...kept,
    item: parseAuthor(kept.item, author),
    ...(isLowered && { bytes: encoder.encode(text), lowered: { joins, ours } }),
    ...(isMade && { maker: { provider, model } }),
  };
}

function toFields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Null: there is none that is an object's text. */
function readOriginal(original: unknown): Uint8Array | null {
  return typeof original === "string" && parseObject(original) !== null ? encoder.encode(original) : null;
}

/** Where lengths were changed, a slice is no JSON, and a server would refuse whatever holds it. */
function isObject(bytes: Uint8Array): boolean {
  try {
    return parseObject(decoder.decode(bytes)) !== null;
  } catch {
    return false;
  }
}

function toOwnBytes(value: Fields): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}

function toSentItem(value: Fields, bytes: Uint8Array): SentItem {
  return { item: toItem(value, bytes), bytes };
}

/** The value itself and not the schema's copy of it, which has its fields in another order. */
function toItem(value: unknown, bytes: Uint8Array): ResponseItem {
  if (isKnownItem(value)) return value;
  const itemType = isFields(value) && typeof value["type"] === "string" ? value["type"] : "";
  return { type: "unknown", itemType, json: decoder.decode(bytes) };
}

function isForm(value: unknown): value is RequestForm {
  return isFields(value) && Object.values(value).every((takes) => typeof takes === "boolean");
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function parseObject(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A line of ours whose request head is damaged, without the head. */
export function withoutHead(line: Uint8Array): Uint8Array {
  const { payload, ...opening } = parseObject(decoder.decode(line)) ?? {};
  return encoder.encode(`${JSON.stringify({ ...opening, payload: { ...toFields(payload), head: null } })}\n`);
}
