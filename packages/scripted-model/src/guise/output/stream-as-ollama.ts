import { cutText } from "../../answer/cut-text.ts";
import type { PlannedResponse } from "../../answer/response-events.ts";
import { responseObject } from "../../answer/response-object.ts";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { listParts, type OutputPart } from "./list-parts.ts";
import { toMessage, toTextPart } from "./to-message.ts";

type Events = Generator<JsonObject | string, void>;
type Spoken = { readonly id: string; text: string };

/**
 * An answer as Ollama writes it (`openai/responses.go` of its sources): a message before calls has the index of the calls and no
 * `done` of its own, all calls share one index, text behind a call is lost, a length stop is `completed`, and an error that comes
 * late ends the stream without a word. `contextLength`: the most tokens that its usage can tell of; null: any number.
 */
export function* streamAsOllama(response: PlannedResponse, contextLength: number | null): Events {
  const writer = new OllamaWriter(response);
  yield* writer.begin();
  for (const part of listParts(response)) yield* writer.write(part);
  if (response.end === "none" || (response.end !== "completed" && "failed" in response.end)) return;
  yield* writer.end(toUsage(response.usage, contextLength));
}

class OllamaWriter {
  readonly #response: PlannedResponse;
  readonly #calls: JsonObject[] = [];
  #reasoning: Spoken | null = null;
  #message: Spoken | null = null;
  #isReasoningDone = false;
  #index = 0;
  #next = 0;

  constructor(response: PlannedResponse) {
    this.#response = response;
  }

  *begin(): Events {
    const response = responseObject(this.#response, {});
    yield this.#number({ type: "response.created", response });
    yield this.#number({ type: "response.in_progress", response });
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

  *end(usage: unknown): Events {
    yield* this.#finishReasoning();
    if (this.#calls.length === 0 && this.#message !== null) yield* this.#finishMessage(this.#message);
    const output = [
      ...(this.#reasoning === null ? [] : [toReasoning(this.#reasoning)]),
      ...this.#calls,
      ...(this.#message === null ? [] : [toMessage(this.#message.id, this.#message.text)]),
    ];
    const completedAt = Math.floor(this.#response.createdAt / 1000);
    const state = { status: "completed", completed_at: completedAt, output, usage };
    yield this.#number({ type: "response.completed", response: responseObject(this.#response, state) });
  }

  *#think(id: string, text: string): Events {
    if (this.#reasoning === null) {
      this.#reasoning = { id, text: "" };
      yield this.#add({ id, type: "reasoning", summary: [] });
    }
    this.#reasoning.text += text;
    const where = { item_id: this.#reasoning.id, output_index: this.#index, summary_index: 0 };
    for (const delta of this.#cut(text)) {
      yield this.#number({ type: "response.reasoning_summary_text.delta", ...where, delta });
    }
  }

  *#finishReasoning(): Events {
    if (this.#reasoning === null || this.#isReasoningDone) return;
    this.#isReasoningDone = true;
    const { id, text } = this.#reasoning;
    const where = { item_id: id, output_index: this.#index, summary_index: 0 };
    yield this.#number({ type: "response.reasoning_summary_text.done", ...where, text });
    yield this.#done(toReasoning(this.#reasoning));
    this.#index += 1;
  }

  *#say(id: string, text: string): Events {
    if (this.#calls.length > 0) return;
    yield* this.#finishReasoning();
    const part = toTextPart("");
    if (this.#message === null) {
      this.#message = { id, text: "" };
      yield this.#add({ ...toMessage(id, ""), status: "in_progress", content: [] });
      yield this.#number({ type: "response.content_part.added", ...this.#inMessage(id), part });
    }
    this.#message.text += text;
    const where = { ...this.#inMessage(this.#message.id), logprobs: [] };
    for (const delta of this.#cut(text)) yield this.#number({ type: "response.output_text.delta", ...where, delta });
  }

  *#finishMessage({ id, text }: Spoken): Events {
    const where = this.#inMessage(id);
    yield this.#number({ type: "response.output_text.done", ...where, text, logprobs: [] });
    yield this.#number({ type: "response.content_part.done", ...where, part: toTextPart(text) });
    yield this.#done(toMessage(id, text));
  }

  *#call(id: string, json: JsonObject): Events {
    yield* this.#finishReasoning();
    this.#calls.push(json);
    const where = { item_id: id, output_index: this.#index };
    const { arguments: text } = json;
    yield this.#add({ ...json, status: "in_progress", arguments: "" });
    if (text !== "") yield this.#number({ type: "response.function_call_arguments.delta", ...where, delta: text });
    yield this.#number({ type: "response.function_call_arguments.done", ...where, arguments: text });
    yield this.#done(json);
  }

  #inMessage(id: string): JsonObject {
    return { item_id: id, output_index: this.#index, content_index: 0 };
  }

  #add(item: JsonObject): JsonObject {
    return this.#number({ type: "response.output_item.added", output_index: this.#index, item });
  }

  #done(item: JsonObject): JsonObject {
    return this.#number({ type: "response.output_item.done", output_index: this.#index, item });
  }

  #cut(text: string): readonly string[] {
    return cutText(text, this.#response.chunkBytes);
  }

  #number(event: JsonObject): JsonObject {
    return { ...event, sequence_number: this.#next++ };
  }
}

function toReasoning({ id, text }: Spoken): JsonObject {
  return { id, type: "reasoning", summary: [{ type: "summary_text", text }], encrypted_content: text };
}

function toUsage(usage: unknown, contextLength: number | null): unknown {
  if (!isJsonObject(usage)) return usage;
  const input = Math.min(Number(usage["input_tokens"]), contextLength ?? Number.POSITIVE_INFINITY);
  const output = Number(usage["output_tokens"]);
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
}
