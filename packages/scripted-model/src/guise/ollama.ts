import { cutText, type PlannedResponse, responseObject } from "../answer/response-events.ts";
import { isJsonObject, type JsonObject, parseJson } from "../json.ts";
import type { HttpTurn } from "../script/turn.ts";
import type { Guise } from "./guise.ts";
import {
  findBeyondPlain,
  isEmptyRequest,
  readRequestBody,
  refuseContent,
  hasImages,
  hasJsonArguments,
  listContent,
  type RequestBody,
  listParts,
  type OutputPart,
  toMessage,
  toTextPart,
} from "./local-server.ts";

interface OllamaGuiseOptions {
  readonly version: string;
  /** The installed models; a pulled one is added. */
  readonly models: readonly string[];
  /** The models that can be pulled. Absent: none. */
  readonly library?: readonly string[];
  /**
   * The window in force, in tokens: a longer input loses its oldest messages without notice. Absent: nothing is lost,
   * and the server reports 4,096.
   */
  readonly contextLength?: number;
  /** The capabilities of its models. Default all: `completion`, `tools`, `vision`, `thinking`. */
  readonly capabilities?: readonly string[];
}

const pulledBytes = 1_000_000_000;
const trainedLength = 131_072;

/** Ollama: its own API beside OpenAI's. It refuses what it does not know of a conversation, and models that it does not have. */
export function createOllamaGuise(options: OllamaGuiseOptions): Guise {
  const { version, models, library = [], contextLength = null } = options;
  const { capabilities = ["completion", "tools", "vision", "thinking"] } = options;
  const there = new Set(models);
  /** Models that answered: they are loaded. */
  const loaded = new Set<string>();

  function pull(model: string): HttpTurn {
    if (!library.includes(model)) return toLines([{ status: "pulling manifest" }, { error: "file does not exist" }]);
    there.add(model);
    const part = { status: "pulling 4f3a", digest: "sha256:4f3a", total: pulledBytes };
    const parts = [0, 0.05, 0.5, 1].map((share) => ({ ...part, completed: share * pulledBytes }));
    return toLines([{ status: "pulling manifest" }, ...parts, { status: "success" }]);
  }

  function show(model: string): HttpTurn {
    if (!there.has(model)) return { status: 404, body: { error: `model '${model}' not found` } };
    const info = { "general.architecture": "lab", "lab.context_length": trainedLength };
    return { status: 200, body: { parameters: "", capabilities, model_info: info } };
  }

  return {
    checks: { fields: false },
    answer({ method, url, body }) {
      const model = method === "POST" ? readModel(body) : "";
      switch (`${method} ${url}`) {
        case "GET /":
          return { status: 200, body: "Ollama is running" };
        case "GET /api/version":
          return { status: 200, body: { version } };
        case "GET /api/tags":
          return { status: 200, body: { models: [...there].map((name) => ({ name, model: name, size: 1 })) } };
        case "GET /api/ps": {
          const running = [...loaded].map((name) => ({ name, model: name, context_length: contextLength ?? 4096 }));
          return { status: 200, body: { models: running } };
        }
        case "GET /v1/models": {
          const data = [...there].map((id) => ({ id, object: "model", created: 0, owned_by: "library" }));
          return { status: 200, body: { object: "list", data } };
        }
        case "POST /api/show":
          return show(model);
        case "POST /api/pull":
          return pull(model);
        case "POST /v1/chat/completions":
          return toOllamaError(400, "[] is too short - 'messages'");
        case "POST /v1/responses":
          return isEmptyRequest(body) ? toOllamaError(400, "model is required") : null;
        default:
          return { status: 404, body: "404 page not found" };
      }
    },
    refuse(request) {
      const refusal = refuseAsOllama(readRequestBody(request), { models: there, capabilities });
      if (refusal === null) loaded.add(String(request.fields["model"]));
      return refuseContent(refusal);
    },
    findUnsupported: findBeyondPlain,
    stream: (response) => streamAsOllama(response, contextLength),
  };
}

function toLines(lines: readonly JsonObject[]): HttpTurn {
  return { status: 200, body: lines.map((line) => `${JSON.stringify(line)}\n`).join("") };
}

function readModel(body: Buffer): string {
  try {
    const parsed = parseJson(body.toString("utf8"));
    return isJsonObject(parsed) ? String(parsed["model"]) : "";
  } catch {
    return "";
  }
}

interface OllamaLimits {
  readonly models: ReadonlySet<string>;
  /** The capabilities that `/api/show` reports for its models: `tools`, `vision`, `thinking`. */
  readonly capabilities: readonly string[];
}

const itemTypes: ReadonlySet<unknown> = new Set(["message", "function_call", "function_call_output", "reasoning"]);
const partTypes: ReadonlySet<unknown> = new Set(["input_text", "output_text", "input_image", "input_file"]);
const efforts: ReadonlySet<unknown> = new Set(["none", "low", "medium", "high", "max"]);

/** The answer of Ollama to a request that it does not take; null: it takes it. */
function refuseAsOllama({ fields, items }: RequestBody, limits: OllamaLimits): HttpTurn | null {
  const model = String(fields["model"]);
  const fault = findFault(fields, items) ?? findLack(fields, items, limits.capabilities);
  if (fault !== null) return toOllamaError(400, fault.replace("MODEL", model));
  return limits.models.has(model) ? null : toOllamaError(404, `model '${model}' not found`);
}

function toOllamaError(status: number, message: string): HttpTurn {
  const type = status === 404 ? "not_found_error" : "invalid_request_error";
  return { status, body: { error: { message, type, param: null, code: null } } };
}

function findFault({ reasoning }: JsonObject, items: readonly JsonObject[]): string | null {
  const faults = items.map((item, index) => findItemFault(item, index));
  const found = faults.find((fault) => fault !== null);
  if (found !== undefined) return found;
  const effort = isJsonObject(reasoning) ? (reasoning["effort"] ?? "none") : "none";
  if (efforts.has(effort)) return null;
  return `invalid reasoning value: ${JSON.stringify(effort)} (must be "high", "medium", "low", "max", or "none")`;
}

function findItemFault(item: JsonObject, index: number): string | null {
  const { type = "message" } = item;
  if (!itemTypes.has(type)) return `input[${index}]: unknown input item type: ${JSON.stringify(type)}`;
  const parts = listContent(item);
  const unknown = parts.findIndex((part) => !partTypes.has(part["type"]));
  if (unknown !== -1 && type !== "reasoning") {
    return `input[${index}]: content[${unknown}]: unknown content type: ${String(parts[unknown]?.["type"])}`;
  }
  if (parts.some((part) => part["type"] === "input_file")) return "file inputs are not currently supported";
  const isCut = type === "function_call" && item["arguments"] !== "" && !hasJsonArguments(item);
  return isCut ? "failed to parse function call arguments: unexpected end of JSON input" : null;
}

function findLack(
  { tools, reasoning }: JsonObject,
  items: readonly JsonObject[],
  capabilities: readonly string[],
): string | null {
  const wishes = {
    tools: Array.isArray(tools) && tools.length > 0,
    thinking: isJsonObject(reasoning) && ![undefined, null, "none"].some((none) => none === reasoning["effort"]),
    vision: hasImages(items),
  };
  const lack = Object.entries(wishes).find(([name, isWished]) => isWished && !capabilities.includes(name));
  return lack === undefined ? null : `"MODEL" does not support ${lack[0]}`;
}

type Events = Generator<JsonObject | string, void>;
type Spoken = { readonly id: string; text: string };

/**
 * An answer as Ollama writes it (`openai/responses.go` of its sources): a message before calls has the index of the
 * calls and no `done` of its own, all calls share one index, text after a call is lost, a length stop is `completed`,
 * and a late error ends the stream without notice. `contextLength`: the most tokens that its usage can report; null:
 * any number.
 */
function* streamAsOllama(response: PlannedResponse, contextLength: number | null): Events {
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
