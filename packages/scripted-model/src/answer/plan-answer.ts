import type { PrefixComparison } from "../check/prefix-law.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { Cut, HttpTurn, ItemsTurn, StaleTurn, Turn } from "../script/turn.ts";
import { completeItems } from "./complete-item.ts";
import { estimateUsage } from "./estimate-usage.ts";
import { responseEvents } from "./response-events.ts";

/** An HTTP answer, ready to be sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly (string | Uint8Array)[];
  /** What happens when the chunks are out. */
  readonly ending: Cut["how"];
  /** Before the status line, in ms. */
  readonly delayMs: number;
  /** Before each chunk after the first, in ms. */
  readonly chunkDelayMs: number;
  /** Ids of the tool calls in it. */
  readonly callIds: readonly string[];
}

/** What an answer depends on besides its turn. */
export interface AnswerContext {
  /** Unique for the request in its thread. */
  readonly key: string;
  /** In ms. */
  readonly now: number;
  /** The fields of the request but `input`. */
  readonly fields: JsonObject;
  readonly prefix: PrefixComparison;
}

const defaultChunkBytes = 32;

/** Makes the answer to `POST /responses` of a turn. */
export function planAnswer(turn: Turn, context: AnswerContext): Answer {
  if ("items" in turn) return planResponse(turn, context);
  if ("events" in turn) return toAnswer(turn, eventStream, turn.events.map(encodeEvent));
  if ("raw" in turn) return toAnswer(turn, eventStream, [turn.raw]);
  if ("stale" in turn) return planStaleAnswer(turn);
  return planHttpAnswer(turn);
}

/** Makes the answer to `POST /responses/compact` of a turn: the items are the new input. */
export function planCompaction(turn: Turn, context: AnswerContext): Answer {
  if (!("items" in turn)) return planAnswer(turn, context);
  const output = completeItems(turn.items, context.key).flatMap((entry) => ("json" in entry ? [entry.json] : []));
  const usage = turn.usage === undefined ? estimateUsage(context.prefix, output) : turn.usage;
  const created = Math.floor(context.now / 1000);
  const body = { id: `resp_${context.key}`, object: "response.compaction", created_at: created, output, usage };
  return planHttpAnswer({ ...turn, status: turn.status ?? 200, body });
}

/** A plain error in the shape of the API, which no client should retry. */
export function planError(code: string, message: string, status = 400): Answer {
  const error = { type: "invalid_request_error", code, message, param: null };
  return planHttpAnswer({ status, body: { error } });
}

/** As https://github.com/openai/codex/issues/8119 shows it. */
function planStaleAnswer(turn: StaleTurn): Answer {
  const message =
    "The encrypted content could not be verified. Reason: Encrypted content could not be decrypted or parsed.";
  const error = { message, type: "invalid_request_error", param: null, code: "invalid_encrypted_content" };
  return planHttpAnswer({ ...turn, status: turn.status ?? 400, body: { error } });
}

/** A status and a body. */
export function planHttpAnswer(turn: HttpTurn): Answer {
  const {
    body = { error: { type: "scripted_error", code: null, message: `Scripted status ${turn.status}`, param: null } },
  } = turn;
  return toAnswer(turn, json, [typeof body === "string" ? body : JSON.stringify(body)]);
}

const json = { "content-type": "application/json" };
const eventStream = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };

function planResponse(turn: ItemsTurn, { key, now, fields, prefix }: AnswerContext): Answer {
  const entries = completeItems(turn.items, key);
  const output = entries.flatMap((entry) => ("json" in entry ? [entry.json] : []));
  const events = responseEvents({
    id: `resp_${key}`,
    createdAt: now,
    request: fields,
    entries,
    end: turn.end ?? "completed",
    usage: turn.usage === undefined ? estimateUsage(prefix, output) : turn.usage,
    chunkBytes: turn.chunkBytes ?? defaultChunkBytes,
  });
  const callIds = output.flatMap(({ call_id: callId }) => (typeof callId === "string" ? [callId] : []));
  return { ...toAnswer(turn, eventStream, Array.from(events, encodeEvent)), callIds };
}

/** One SSE message; text as it stands. */
function encodeEvent(event: JsonObject | string): string {
  return isJsonObject(event) ? `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n` : event;
}

type Chunks = readonly (string | Uint8Array)[];

function toAnswer(turn: Turn, headers: Answer["headers"], chunks: Chunks): Answer {
  const { status = 200, delayMs = 0, eventDelayMs = 0, cut, keepOpen = false } = turn;
  return {
    status,
    headers: { ...headers, ...turn.headers },
    chunks: cut ? cutChunks(chunks, cut) : chunks,
    ending: cut?.how ?? (keepOpen ? "hang" : "end"),
    delayMs,
    chunkDelayMs: eventDelayMs,
    callIds: [],
  };
}

function cutChunks(chunks: Chunks, cut: Cut): Chunks {
  if ("afterEvents" in cut) return chunks.slice(0, cut.afterEvents);
  const bytes = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)));
  return [bytes.subarray(0, cut.afterBytes)];
}
