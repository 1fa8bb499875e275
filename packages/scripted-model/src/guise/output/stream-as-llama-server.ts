import { cutText } from "../../answer/cut-text.ts";
import type { PlannedResponse } from "../../answer/response-events.ts";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { listParts, type OutputPart } from "./list-parts.ts";

type Events = Generator<JsonObject | string, void>;
type Spoken = { readonly id: string; text: string };

/**
 * An answer as llama.cpp's `llama-server` 0.7.0 writes it: no index and no number on any event, several items open at once, every
 * `done` in one burst at the end, none for arguments and reasoning text; a length stop is `completed`, and an error that comes
 * late is a data line with a member `error`.
 */
export function* streamAsLlamaServer(response: PlannedResponse): Events {
  const { id, end } = response;
  const writer = new LlamaServerWriter(response.chunkBytes);
  const begun = { id, object: "response", status: "in_progress" };
  yield { type: "response.created", response: begun };
  yield { type: "response.in_progress", response: begun };
  for (const part of listParts(response)) yield* writer.write(part);
  if (end === "none") return;
  if (end !== "completed" && "failed" in end) {
    const error = { code: 500, message: end.failed.message, type: "server_error" };
    yield `data: ${JSON.stringify({ error })}\n\n`;
    return;
  }
  const output = yield* writer.finish();
  const state = { created_at: Math.floor(response.createdAt / 1000), status: "completed" };
  const model = response.request["model"] ?? "unroll-scripted";
  const whole = { id, object: "response", ...state, model, output, usage: toUsage(response.usage) };
  yield { type: "response.completed", response: whole, timings: toTimings(response.usage) };
}

class LlamaServerWriter {
  readonly #chunkBytes: number;
  readonly #calls: JsonObject[] = [];
  #reasoning: Spoken | null = null;
  #message: Spoken | null = null;

  constructor(chunkBytes: number) {
    this.#chunkBytes = chunkBytes;
  }

  *write(part: OutputPart): Events {
    switch (part.type) {
      case "stray":
        yield part.event;
        return;
      case "reasoning":
        return yield* this.#think(part.id, part.text);
      case "message":
        return yield* this.#say(part.id, part.text);
      case "call":
        return yield* this.#call(part.id, part.json);
    }
  }

  /** The burst at the end; gives back the final output. */
  *finish(): Generator<JsonObject, readonly JsonObject[]> {
    const reasoning = this.#reasoning === null ? [] : [toReasoning(this.#reasoning)];
    for (const item of reasoning) yield { type: "response.output_item.done", item };
    const message = this.#message === null ? [] : [yield* finishMessage(this.#message)];
    for (const item of this.#calls) yield { type: "response.output_item.done", item };
    return [...reasoning, ...message, ...this.#calls];
  }

  *#think(id: string, text: string): Events {
    if (this.#reasoning === null) {
      this.#reasoning = { id, text: "" };
      const item = { id, summary: [], type: "reasoning", content: [], encrypted_content: "", status: "in_progress" };
      yield { type: "response.output_item.added", item };
    }
    this.#reasoning.text += text;
    const { id: itemId } = this.#reasoning;
    for (const delta of cutText(text, this.#chunkBytes)) {
      yield { type: "response.reasoning_text.delta", delta, item_id: itemId };
    }
  }

  *#say(id: string, text: string): Events {
    if (this.#message === null) {
      this.#message = { id, text: "" };
      const item = { content: [], id, role: "assistant", status: "in_progress", type: "message" };
      yield { type: "response.output_item.added", item };
      yield { type: "response.content_part.added", item_id: id, part: { type: "output_text", text: "" } };
    }
    this.#message.text += text;
    const { id: itemId } = this.#message;
    for (const delta of cutText(text, this.#chunkBytes)) {
      yield { type: "response.output_text.delta", item_id: itemId, delta };
    }
  }

  *#call(id: string, json: JsonObject): Events {
    this.#calls.push(json);
    yield { type: "response.output_item.added", item: { ...json, arguments: "", status: "in_progress" } };
    const { arguments: text } = json;
    const pieces = typeof text === "string" ? cutText(text, this.#chunkBytes) : [];
    for (const delta of pieces) yield { type: "response.function_call_arguments.delta", delta, item_id: id };
  }
}

function toReasoning({ id, text }: Spoken): JsonObject {
  return { id, summary: [], type: "reasoning", content: [{ text, type: "reasoning_text" }], encrypted_content: "" };
}

function* finishMessage({ id, text }: Spoken): Generator<JsonObject, JsonObject> {
  const part = { type: "output_text", annotations: [], logprobs: [], text };
  const item = { type: "message", status: "completed", id, content: [part], role: "assistant" };
  yield { type: "response.output_text.done", item_id: id, text };
  yield { type: "response.content_part.done", item_id: id, part };
  yield { type: "response.output_item.done", item };
  return item;
}

function toUsage(usage: unknown): unknown {
  if (!isJsonObject(usage)) return usage;
  const { output_tokens_details: _details, ...rest } = usage;
  return rest;
}

function toTimings(usage: unknown): JsonObject {
  if (!isJsonObject(usage)) return {};
  const { input_tokens: input, output_tokens: output, input_tokens_details: details } = usage;
  const cached = Number(isJsonObject(details) ? (details["cached_tokens"] ?? 0) : 0);
  return { cache_n: cached, prompt_n: Number(input) - cached, predicted_n: output };
}
