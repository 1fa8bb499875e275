import { type JsonObject, isJsonObject } from "../json.ts";
import type { TurnEnd } from "../script/turn.ts";
import type { OutputItem, StrayEvent } from "./complete-item.ts";

/** A response, ready to be sent as events. */
export interface PlannedResponse extends ResponseIdentity {
  readonly entries: readonly (OutputItem | StrayEvent)[];
  readonly end: TurnEnd;
  readonly usage: unknown;
  /** The most UTF-8 bytes in one delta. */
  readonly chunkBytes: number;
}

/** The events of a whole response, numbered, from `response.created` to the terminal one. Stray events come as they are. */
export function* responseEvents(response: PlannedResponse): Generator<JsonObject | string> {
  const number = createNumbering(response.chunkBytes);
  const begun = responseObject(response, {});
  yield* number([{ type: "response.created", response: begun }]);
  yield* number([{ type: "response.in_progress", response: begun }]);
  const output: JsonObject[] = [];
  for (const entry of response.entries) {
    if ("event" in entry) {
      yield entry.event;
      continue;
    }
    yield* number(itemEvents(entry, output.length));
    output.push(entry.json);
  }
  yield* number(terminalEvents(response, output));
}

/** Numbers events across calls, and cuts each delta into pieces. */
function createNumbering(chunkBytes: number): (events: Iterable<JsonObject>) => Generator<JsonObject> {
  let next = 0;
  return function* number(events) {
    for (const event of events) {
      for (const piece of cutDelta(event, chunkBytes)) yield { ...piece, sequence_number: next++ };
    }
  };
}

function cutDelta(event: JsonObject, chunkBytes: number): readonly JsonObject[] {
  const { delta } = event;
  return typeof delta === "string" ? cutText(delta, chunkBytes).map((piece) => ({ ...event, delta: piece })) : [event];
}

function* terminalEvents(response: PlannedResponse, output: readonly JsonObject[]): Generator<JsonObject> {
  const { end, usage } = response;
  if (end === "none") return;
  const [status, state] = terminalState(end);
  const completedAt = status === "completed" ? { completed_at: Math.floor(response.createdAt / 1000) } : {};
  const whole = responseObject(response, { status, output, usage, ...completedAt, ...state });
  yield { type: `response.${status}`, response: whole };
}

function terminalState(end: Exclude<TurnEnd, "none">): readonly [status: string, state: JsonObject] {
  if (end === "completed") return ["completed", {}];
  if ("failed" in end) return ["failed", { error: end.failed, usage: null }];
  return ["incomplete", { incomplete_details: { reason: end.incomplete } }];
}

/** The events of one output item, from `added` to `done`, in the order of the Responses API; each text in one delta. */
function* itemEvents({ id, json }: OutputItem, outputIndex: number): Generator<JsonObject, void> {
  yield { type: "response.output_item.added", output_index: outputIndex, item: { ...json, ...beginningOf(json) } };
  yield* innerEvents(json, { item_id: id, output_index: outputIndex });
  yield { type: "response.output_item.done", output_index: outputIndex, item: json };
}

/** The fields in which an item that is only begun differs from the finished one. */
function beginningOf(json: JsonObject): JsonObject {
  const status = "status" in json ? { status: "in_progress" } : {};
  switch (json["type"]) {
    case "message":
      return { ...status, content: [] };
    case "reasoning":
      return { ...status, summary: [], ...("content" in json ? { content: [] } : {}) };
    case "function_call":
      return { ...status, arguments: "" };
    case "custom_tool_call":
      return { ...status, input: "" };
    case "web_search_call":
      return status;
    default:
      return {};
  }
}

function* innerEvents(json: JsonObject, where: JsonObject): Generator<JsonObject, void> {
  switch (json["type"]) {
    case "message":
      return yield* listEvents(json["content"], "content_index", where);
    case "reasoning":
      yield* listEvents(json["summary"], "summary_index", where);
      return yield* listEvents(json["content"], "content_index", where);
    case "function_call":
      return yield* textEvents("response.function_call_arguments", where, ["arguments", json["arguments"]]);
    case "custom_tool_call":
      return yield* textEvents("response.custom_tool_call_input", where, ["input", json["input"]]);
    case "web_search_call":
      for (const state of ["in_progress", "searching", "completed"]) {
        yield { type: `response.web_search_call.${state}`, ...where };
      }
      return;
    default:
      return;
  }
}

function* listEvents(parts: unknown, indexName: string, where: JsonObject): Generator<JsonObject, void> {
  if (!Array.isArray(parts)) return;
  for (const [index, part] of parts.filter(isJsonObject).entries()) {
    yield* partEvents(part, { ...where, [indexName]: index });
  }
}

interface PartShape {
  /** The events that frame the part. */
  readonly frame: string;
  /** The events of its text, and the field that holds it. */
  readonly stream: string;
  readonly field: string;
  readonly extra?: JsonObject;
}
const partShapes: Readonly<Record<string, PartShape>> = {
  output_text: {
    frame: "response.content_part",
    stream: "response.output_text",
    field: "text",
    extra: { logprobs: [] },
  },
  refusal: { frame: "response.content_part", stream: "response.refusal", field: "refusal" },
  reasoning_text: { frame: "response.content_part", stream: "response.reasoning_text", field: "text" },
  summary_text: { frame: "response.reasoning_summary_part", stream: "response.reasoning_summary_text", field: "text" },
};

function* partEvents(part: JsonObject, where: JsonObject): Generator<JsonObject, void> {
  const shape = partShapes[String(part["type"])];
  if (!shape) return;
  const { frame, stream, field, extra } = shape;
  yield { type: `${frame}.added`, ...where, part: { ...part, [field]: "" } };
  yield* textEvents(stream, { ...where, ...extra }, [field, part[field]]);
  yield { type: `${frame}.done`, ...where, part };
}

function* textEvents(
  stream: string,
  where: JsonObject,
  [field, text]: readonly [string, unknown],
): Generator<JsonObject, void> {
  if (text !== "") yield { type: `${stream}.delta`, ...where, delta: text };
  yield { type: `${stream}.done`, ...where, [field]: text };
}

/**
 * Cuts text into pieces of at most `maxBytes` UTF-8 bytes, but never within a character. No piece is empty. Our own, not
 * of `@unroll/text`: the server that every test speaks to must not be wrong wherever what it tests is wrong.
 */
export function cutText(text: string, maxBytes: number): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  let bytes = 0;
  for (const character of text) {
    const size = utf8Size(character);
    if (piece !== "" && bytes + size > maxBytes) {
      pieces.push(piece);
      piece = "";
      bytes = 0;
    }
    piece += character;
    bytes += size;
  }
  return piece === "" ? pieces : [...pieces, piece];
}

/** The bytes of one character. */
function utf8Size(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

/** The fields that every state of one response has. */
interface ResponseIdentity {
  readonly id: string;
  /** In ms; the wire has whole seconds. */
  readonly createdAt: number;
  /** The fields of the request, which the response repeats. */
  readonly request: JsonObject;
  /** Id of the response that it continues. */
  readonly previousResponseId: string | null;
}

/** The whole response object as a server sends it, for a response that has only begun; `state` is what differs later. */
export function responseObject(
  { id, createdAt, request, previousResponseId }: ResponseIdentity,
  state: JsonObject,
): JsonObject {
  return {
    id,
    object: "response",
    created_at: Math.floor(createdAt / 1000),
    status: "in_progress",
    background: false,
    completed_at: null,
    error: null,
    incomplete_details: null,
    instructions: request["instructions"] ?? null,
    max_output_tokens: request["max_output_tokens"] ?? null,
    max_tool_calls: request["max_tool_calls"] ?? null,
    model: request["model"] ?? "unroll-scripted",
    output: [],
    parallel_tool_calls: request["parallel_tool_calls"] ?? true,
    previous_response_id: previousResponseId,
    presence_penalty: request["presence_penalty"] ?? 0,
    frequency_penalty: request["frequency_penalty"] ?? 0,
    prompt_cache_key: request["prompt_cache_key"] ?? null,
    reasoning: { effort: null, summary: null, ...toObject(request["reasoning"]) },
    safety_identifier: null,
    service_tier: request["service_tier"] ?? "default",
    store: request["store"] ?? true,
    temperature: request["temperature"] ?? 1,
    text: { format: { type: "text" }, verbosity: "medium", ...toObject(request["text"]) },
    tool_choice: request["tool_choice"] ?? "auto",
    tools: listTools(request["tools"]),
    top_logprobs: request["top_logprobs"] ?? 0,
    top_p: request["top_p"] ?? 1,
    truncation: request["truncation"] ?? "disabled",
    usage: null,
    user: null,
    metadata: request["metadata"] ?? {},
    ...state,
  };
}

function toObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

/** A function with all that a server says of it, also where the request left it to the defaults. */
function listTools(tools: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(tools) ? tools : [];
  return list.map((tool) =>
    isJsonObject(tool) && tool["type"] === "function"
      ? { description: null, parameters: null, strict: true, ...tool }
      : tool,
  );
}
