import type { PrefixComparison } from "../check/prefix-law.ts";
import { asksForEncrypted } from "../check/request-fields.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { Cut, EventsTurn, HttpTurn, ItemsTurn, StaleTurn, Turn } from "../script/turn.ts";
import { completeItems } from "./complete-item.ts";
import { estimateUsage } from "./estimate-usage.ts";
import type { PlannedResponse } from "./response-events.ts";

/** An HTTP answer, ready to be sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly Chunk[];
  /** How the answer ends after its chunks. `whole`: nothing cuts it off. */
  readonly ending: Cut["how"] | "whole";
  /** Before the status line, in ms. */
  readonly delayMs: number;
  /** Before each chunk after the first, in ms. */
  readonly chunkDelayMs: number;
  /** Ids of the tool calls in it. */
  readonly callIds: readonly string[];
}

/** Facts besides the turn on which an answer depends. */
export interface AnswerContext {
  /** Unique for the request in its thread. */
  readonly key: string;
  /** In ms. */
  readonly now: number;
  /** The fields of the request but `input`. */
  readonly fields: JsonObject;
  readonly prefix: PrefixComparison;
  /** Id of the response that the request continues; null: none. */
  readonly previousResponseId: string | null;
  /** Writes the events of a response. */
  readonly stream: (response: PlannedResponse) => Iterable<JsonObject | string>;
}

const defaultChunkBytes = 32;

/** Makes the answer to `POST /responses` of a turn: an event stream where the request asks for one, else the whole response. */
export function planAnswer(turn: Turn, context: AnswerContext): Answer {
  const isStreamed = context.fields["stream"] === true;
  if ("items" in turn) {
    const { events, callIds } = listEvents(turn, context);
    return { ...(isStreamed ? toAnswer(turn, eventStream, events) : planWhole(turn, events)), callIds };
  }
  if ("events" in turn) return isStreamed ? toAnswer(turn, eventStream, turn.events) : planWhole(turn, turn.events);
  if ("raw" in turn) return toAnswer(turn, eventStream, [turn.raw]);
  if ("stale" in turn) return planStaleAnswer(turn);
  return planHttpAnswer(turn);
}

/** Makes the answer to `POST /responses/compact` of a turn: the items are the new input. */
export function planCompaction(turn: Turn, context: AnswerContext): Answer {
  if (!("items" in turn)) return planAnswer(turn, context);
  const output = completeItems(turn.items, { responseKey: context.key, encrypts: true }).flatMap((entry) =>
    "json" in entry ? [entry.json] : [],
  );
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

function listEvents(turn: ItemsTurn, { key, now, fields, prefix, previousResponseId, stream }: AnswerContext) {
  const entries = completeItems(turn.items, { responseKey: key, encrypts: asksForEncrypted(fields) });
  const output = entries.flatMap((entry) => ("json" in entry ? [entry.json] : []));
  const events = stream({
    id: `resp_${key}`,
    createdAt: now,
    request: fields,
    previousResponseId,
    entries,
    end: turn.end ?? "completed",
    usage: turn.usage === undefined ? estimateUsage(prefix, output) : turn.usage,
    chunkBytes: turn.chunkBytes ?? defaultChunkBytes,
  });
  const callIds = output.flatMap(({ call_id: callId }) => (typeof callId === "string" ? [callId] : []));
  return { events: [...events], callIds };
}

/** The response object of the terminal event, as one JSON body. */
function planWhole(turn: ItemsTurn | EventsTurn, events: readonly Chunk[]): Answer {
  const response = events.filter(isEvent).findLast(({ type }) => terminalTypes.has(type))?.["response"];
  if (!isJsonObject(response)) {
    return planError("no_response", "The turn ends without a response, and the request asks for no stream.", 500);
  }
  return toAnswer(turn, json, [JSON.stringify(response)]);
}

const terminalTypes: ReadonlySet<unknown> = new Set(["response.completed", "response.failed", "response.incomplete"]);

function toAnswer(turn: Turn, headers: Answer["headers"], chunks: readonly Chunk[]): Answer {
  const { status = 200, delayMs = 0, eventDelayMs = 0, cut, keepOpen = false } = turn;
  return {
    status,
    headers: { ...headers, ...turn.headers },
    chunks: cut ? cutChunks(chunks, cut) : chunks,
    ending: cut?.how ?? (keepOpen ? "hang" : "whole"),
    delayMs,
    chunkDelayMs: eventDelayMs,
    callIds: [],
  };
}

function cutChunks(chunks: readonly Chunk[], cut: Cut): readonly Chunk[] {
  if ("afterEvents" in cut) return chunks.slice(0, cut.afterEvents);
  const bytes = Buffer.concat(chunks.map((chunk) => Buffer.from(encodeChunk(chunk))));
  return [bytes.subarray(0, cut.afterBytes)];
}

/** A piece of an answer: an event, or text or bytes as they stand. */
export type Chunk = JsonObject | string | Uint8Array;

/** As an event stream has it: an event is one SSE message. */
export function encodeChunk(chunk: Chunk): string | Uint8Array {
  return isEvent(chunk) ? `event: ${String(chunk["type"])}\ndata: ${JSON.stringify(chunk)}\n\n` : chunk;
}

export function isEvent(chunk: Chunk): chunk is JsonObject {
  return !(chunk instanceof Uint8Array) && isJsonObject(chunk);
}
