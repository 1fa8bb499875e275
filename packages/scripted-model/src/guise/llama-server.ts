import { cutText, type PlannedResponse } from "../answer/response-events.ts";
import { type JsonObject, isJsonObject } from "../json.ts";
import type { HttpTurn } from "../script/turn.ts";
import type { Guise } from "./guise.ts";
import {
  findBeyondPlain,
  type TemplateRule,
  isEmptyRequest,
  readRequestBody,
  refuseContent,
  findTemplateFault,
  hasImages,
  hasJsonArguments,
  listContent,
  type RequestBody,
  listParts,
  type OutputPart,
} from "./local-server.ts";

interface LlamaServerGuiseOptions {
  readonly model: string;
  /** The window in force, in tokens (`-c`). Default 131,072, which is what the model was trained for. */
  readonly contextLength?: number;
  /** Default `any`. */
  readonly template?: TemplateRule;
  /** It was started with an mmproj. Default false. */
  readonly takesImages?: boolean;
  /** How many requests come while the model is loaded. Default 0. */
  readonly loadingAnswers?: number;
  /** False: an older one, with `/v1/chat/completions` alone. Default true. */
  readonly knowsResponses?: boolean;
}

const trainedLength = 131_072;

/** llama.cpp's `llama-server` 0.7.0, which has one model and takes any name for it. */
export function createLlamaServerGuise({
  model,
  contextLength = trainedLength,
  template = "any",
  takesImages = false,
  loadingAnswers = 0,
  knowsResponses = true,
}: LlamaServerGuiseOptions): Guise {
  let answered = 0;
  return {
    checks: { fields: false },
    headers: { server: "llama.cpp" },
    answer({ method, url, body }) {
      answered += 1;
      if (answered <= loadingAnswers) return toError(503, "Loading model", "unavailable_error");
      switch (`${method} ${url.replace(/^\/v1\//, "/")}`) {
        case "GET /models":
          return { status: 200, body: listModels({ model, contextLength, takesImages }) };
        case "GET /props": {
          const settings = { n_ctx: contextLength };
          const modalities = { vision: takesImages, audio: false };
          const build = "b11669-debian";
          const props = { default_generation_settings: settings, total_slots: 1, model_alias: model, modalities };
          return { status: 200, body: { ...props, build_info: build } };
        }
        case "GET /health":
          return { status: 200, body: { status: "ok" } };
        case "POST /chat/completions":
          return toError(400, "'messages' is required", "invalid_request_error");
        case "POST /responses":
          if (!knowsResponses) return notFound;
          return isEmptyRequest(body) ? toError(400, "'input' is required", "invalid_request_error") : null;
        default:
          return notFound;
      }
    },
    refuse(request) {
      const limits = { contextLength, template, takesImages };
      return refuseContent(refuseAsLlamaServer(readRequestBody(request), limits));
    },
    findUnsupported: findBeyondPlain,
    stream: streamAsLlamaServer,
  };
}

const notFound = toError(404, "File Not Found", "not_found_error");

function toError(code: number, message: string, type: string): HttpTurn {
  return { status: code, body: { error: { code, message, type } } };
}

type Listed = Required<Pick<LlamaServerGuiseOptions, "model" | "contextLength" | "takesImages">>;

function listModels({ model, contextLength, takesImages }: Listed): object {
  const details = { parent_model: "", format: "gguf", family: "", families: [""], parameter_size: "" };
  const likeOllama = { name: model, model, modified_at: "", size: "", digest: "", type: "model", details };
  const architecture = { input_modalities: takesImages ? ["text", "image"] : ["text"], output_modalities: ["text"] };
  const meta = { vocab_type: 2, n_vocab: 100_289, n_ctx: contextLength, n_ctx_train: trainedLength, ftype: "all F32" };
  const entry = { id: model, aliases: [model], tags: [], object: "model", architecture, owned_by: "llamacpp", meta };
  return { models: [likeOllama], object: "list", data: [entry] };
}

interface LlamaServerLimits {
  /** The window in force, in tokens. */
  readonly contextLength: number;
  readonly template: TemplateRule;
  readonly takesImages: boolean;
}

/** The answer of `llama-server` 0.7.0 to a request that it does not take; null: it takes it. */
function refuseAsLlamaServer(body: RequestBody, limits: LlamaServerLimits): HttpTurn | null {
  const { fields, items, tokens } = body;
  if (fields["previous_response_id"]) return invalid("llama.cpp does not support 'previous_response_id'.");
  const fault = items.map(findItemFault).find((found) => found !== null);
  if (fault !== undefined) return invalid(fault);
  if (!limits.takesImages && hasImages(items)) return broken(noImages);
  const cut = items.find((item) => item["type"] === "function_call" && !hasJsonArguments(item));
  if (cut !== undefined) return broken(describeCut(String(cut["arguments"])));
  const templateFault = findTemplateFault(limits.template, body);
  if (templateFault !== null) return invalid(`${templateWords}\nError: Jinja Exception: ${templateFault}`);
  return tokens < limits.contextLength ? null : overflow(tokens, limits.contextLength);
}

const noImages = "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj";
const templateWords =
  "Unable to generate parser for this template. Automatic parser generation failed: \n------------\nWhile executing CallExpression at line 22, column 77 in source:";

function findItemFault(item: JsonObject): string | null {
  const { type, role, content, summary } = item;
  if (type === "function_call" || type === "function_call_output") {
    return typeof item["call_id"] === "string" ? null : "Cannot determine type of 'item'";
  }
  if (type === "reasoning" && Array.isArray(summary)) {
    if (!Array.isArray(content)) return "item['content'] is not an array";
    return content.length === 0 ? "item['content'] is empty" : null;
  }
  const isOurs = role === "user" || role === "system" || role === "developer";
  if (!isOurs && !(role === "assistant" && type === "message")) return "Cannot determine type of 'item'";
  return listContent(item).some((part) => part["type"] === "input_file")
    ? "'input_file' is not supported by llamacpp at this moment"
    : null;
}

function describeCut(text: string): string {
  const place =
    text === ""
      ? "parse error at line 1, column 1: attempting to parse an empty input"
      : `parse error at line 1, column ${text.length + 1}: syntax error while parsing value`;
  return `Failed to parse tool call arguments as JSON: [json.exception.parse_error.101] ${place}`;
}

function invalid(message: string): HttpTurn {
  return { status: 400, body: { error: { code: 400, message, type: "invalid_request_error" } } };
}

function broken(message: string): HttpTurn {
  return { status: 500, body: { error: { code: 500, message, type: "server_error" } } };
}

function overflow(tokens: number, contextLength: number): HttpTurn {
  const message = `request (${tokens} tokens) exceeds the available context size (${contextLength} tokens), try increasing it`;
  const numbers = { n_prompt_tokens: tokens, n_ctx: contextLength };
  return { status: 400, body: { error: { code: 400, message, type: "exceed_context_size_error", ...numbers } } };
}

type Events = Generator<JsonObject | string, void>;
type Spoken = { readonly id: string; text: string };

/**
 * An answer as llama.cpp's `llama-server` 0.7.0 writes it: no index and no number on any event, several items open at once, every
 * `done` in one burst at the end, none for arguments and reasoning text; a length stop is `completed`, and an error that comes
 * late is a data line with a member `error`.
 */
function* streamAsLlamaServer(response: PlannedResponse): Events {
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
