import { createHash } from "node:crypto";
import { cutText, type PlannedResponse, responseObject } from "../answer/response-events.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { HttpTurn } from "../script/turn.ts";
import type { Guise } from "./guise.ts";
import {
  findBeyondPlain,
  type TemplateRule,
  isEmptyRequest,
  readRequestBody,
  refuseContent,
  findTemplateFault,
  type RequestBody,
  listParts,
  type OutputPart,
  toMessage,
  toTextPart,
} from "./local-server.ts";

interface VllmGuiseOptions {
  readonly models: readonly string[];
  /** Its `max_model_len`, in tokens. Default 131,072. */
  readonly contextLength?: number;
  /** Default `any`. */
  readonly template?: TemplateRule;
  /** It serves gpt-oss, whose answers it writes in a way of their own. Default false. */
  readonly isHarmony?: boolean;
}

/** vLLM: it checks a request against the types of OpenAI's client, and a model that it does not have is a 404, as a path is. */
export function createVllmGuise(options: VllmGuiseOptions): Guise {
  const { models, contextLength = 131_072, template = "any", isHarmony = false } = options;
  return {
    checks: { fields: false },
    answer({ method, url, body }) {
      switch (`${method} ${url}`) {
        case "GET /v1/models": {
          const entry = { object: "model", created: 0, owned_by: "vllm", parent: null, max_model_len: contextLength };
          return { status: 200, body: { object: "list", data: models.map((id) => ({ id, ...entry, root: id })) } };
        }
        case "GET /version":
          return { status: 200, body: { version: "0.19.0" } };
        case "POST /v1/chat/completions":
          return toVllmError(400, "[{'type': 'missing', 'loc': ('body', 'messages')}]");
        case "POST /v1/responses":
          return isEmptyRequest(body) ? toVllmError(400, "[{'type': 'missing', 'loc': ('body', 'input')}]") : null;
        default:
          return toVllmError(404, "Not Found", { type: "Not Found" });
      }
    },
    refuse: (request) =>
      refuseContent(refuseAsVllm(readRequestBody(request), { models, contextLength, template, isHarmony })),
    findUnsupported: findBeyondPlain,
    stream: (response) => streamAsVllm(response, isHarmony),
  };
}

interface VllmLimits {
  readonly models: readonly string[];
  /** Its `max_model_len`, in tokens. */
  readonly contextLength: number;
  readonly template: TemplateRule;
  /** gpt-oss, which has a way of its own. */
  readonly isHarmony: boolean;
}

const itemTypes: ReadonlySet<unknown> = new Set(["message", "function_call", "function_call_output", "reasoning"]);
const toolTypes: ReadonlySet<unknown> = new Set([
  "function",
  "custom",
  "mcp",
  "web_search_preview",
  "code_interpreter",
]);
const efforts: ReadonlySet<unknown> = new Set(["none", "minimal", "low", "medium", "high", "xhigh"]);

/** The answer of vLLM to a request that it does not take; null: it takes it. */
function refuseAsVllm(body: RequestBody, limits: VllmLimits): HttpTurn | null {
  const { fields, items, tokens } = body;
  const { model, reasoning, tools } = fields;
  const asked = String(model);
  if (!limits.models.includes(asked)) {
    return toVllmError(404, `The model \`${asked}\` does not exist.`, { type: "NotFoundError", param: "model" });
  }
  const itemFaults = items.map((item, index) => findItemFault(item, index));
  const toolFaults = Array.isArray(tools) ? tools.map(findToolFault) : [];
  const effort = isJsonObject(reasoning) ? (reasoning["effort"] ?? "none") : "none";
  const effortFault = efforts.has(effort) ? null : union("reasoning.effort");
  const fault = [...itemFaults, ...toolFaults, effortFault].find((found) => found !== null);
  if (fault !== undefined) return toVllmError(400, fault);
  const template = limits.isHarmony ? null : findTemplateFault(limits.template, body);
  if (template !== null) return toVllmError(400, template);
  if (tokens < limits.contextLength) return null;
  const message = `The engine prompt length ${tokens} exceeds the max_model_len ${limits.contextLength}. Please reduce prompt.`;
  return toVllmError(400, message, { type: "invalid_request_error", param: "input" });
}

/** `code` is the status, as a number. */
function toVllmError(
  status: number,
  message: string,
  { type = "BadRequestError", param = null }: { readonly type?: string; readonly param?: string | null } = {},
): HttpTurn {
  return { status, body: { error: { message, type, param, code: status } } };
}

function findItemFault({ type = "message", role, status, encrypted_content: encrypted }: JsonObject, index: number) {
  if (!itemTypes.has(type)) return union(`input.list.${index}.type`);
  if (type === "message" && role === "assistant" && status === undefined) return union(`input.list.${index}.status`);
  return encrypted ? "Encrypted content is not supported." : null;
}

function findToolFault(tool: unknown, index: number): string | null {
  return isJsonObject(tool) && toolTypes.has(tool["type"]) ? null : union(`tools.${index}.type`);
}

function union(place: string): string {
  return `1 validation error: {'type': 'literal_error', 'loc': ('body', '${place.split(".").join("', '")}')}`;
}

type Events = Generator<JsonObject | string, void>;
type Item = Exclude<OutputPart, { readonly type: "stray" }>;

/**
 * An answer as vLLM writes it: `response.completed` even if the response is incomplete, nothing at all if it fails, ids
 * without a prefix, a call without arguments as an empty text, and a final output that was parsed again, with other ids
 * and other call ids. `isHarmony`: as for gpt-oss, whose finished calls have members of an event and no id, and whose
 * content indexes continue from item to item.
 */
function* streamAsVllm(response: PlannedResponse, isHarmony: boolean): Events {
  let next = 0;
  const number = (event: JsonObject): JsonObject => ({ ...event, sequence_number: next++ });
  const begun = responseObject(response, {});
  yield number({ type: "response.created", response: begun });
  yield number({ type: "response.in_progress", response: begun });
  const items: Item[] = [];
  for (const part of listParts(response)) {
    if (part.type === "stray") yield part.event;
    else {
      const place = { outputIndex: items.length, contentIndex: isHarmony ? items.length : 0, isHarmony };
      const context = { ...place, chunkBytes: response.chunkBytes };
      const events = part.type === "call" ? writeCall(part, context) : writeText(part, context);
      for (const event of events) yield number(event);
      items.push(part);
    }
  }
  const { end, usage } = response;
  if (end === "none" || (end !== "completed" && "failed" in end)) return;
  const state = end === "completed" ? {} : { incomplete_details: { reason: end.incomplete } };
  const status = end === "completed" ? "completed" : "incomplete";
  const whole = responseObject(response, { status, output: items.map(parseAgain), usage, ...state });
  yield number({ type: "response.completed", response: whole });
}

interface Place {
  readonly outputIndex: number;
  readonly contentIndex: number;
  readonly isHarmony: boolean;
  readonly chunkBytes: number;
}

function* writeText(
  { type, id: key, text }: Exclude<Item, { type: "call" }>,
  { outputIndex, contentIndex, isHarmony, chunkBytes }: Place,
): Generator<JsonObject, void> {
  const isMessage = type === "message";
  const [frame, stream, extra] = isMessage
    ? ["response.content_part", "response.output_text", { logprobs: [] }]
    : ["response.reasoning_part", "response.reasoning_text", {}];
  const id = isHarmony ? `msg_${toUuid(key)}` : toUuid(key);
  const item = isMessage ? toMessage(id, text) : { id, type, summary: [] };
  const part = isMessage ? toTextPart(text) : { type: "reasoning_text", text };
  const begun = { ...item, status: "in_progress", ...(isMessage && { content: [] }) };
  const where = { item_id: id, output_index: outputIndex, content_index: contentIndex };
  yield { type: "response.output_item.added", output_index: outputIndex, item: begun };
  yield { type: `${frame}.added`, ...where, part: { ...part, text: "" } };
  for (const delta of cutText(text, chunkBytes)) yield { type: `${stream}.delta`, ...where, delta, ...extra };
  yield { type: `${stream}.done`, ...where, text, ...extra };
  yield { type: `${frame}.done`, ...where, part };
  const whole = { ...item, status: "completed", content: [part] };
  yield { type: "response.output_item.done", output_index: outputIndex, item: whole };
}

function* writeCall(
  { id: key, json }: Extract<Item, { type: "call" }>,
  { outputIndex, isHarmony, chunkBytes }: Place,
): Generator<JsonObject, void> {
  const id = isHarmony ? `fc_${toUuid(key)}` : toUuid(key);
  const where = { item_id: id, output_index: outputIndex };
  const text = json["arguments"] === "{}" ? "" : json["arguments"];
  const item = { ...json, id, arguments: text };
  const begun = { ...item, arguments: "", status: "in_progress" };
  yield { type: "response.output_item.added", output_index: outputIndex, item: begun };
  const pieces = typeof text === "string" ? cutText(text, chunkBytes) : [];
  for (const delta of pieces) yield { type: "response.function_call_arguments.delta", ...where, delta };
  if (text !== "") {
    yield { type: "response.function_call_arguments.done", ...where, arguments: text, name: json["name"] };
  }
  const { id: _id, ...bare } = item;
  const stray = { ...bare, ...where, sequence_number: -1 };
  yield { type: "response.output_item.done", output_index: outputIndex, item: isHarmony ? stray : item };
}

/** An item of the final output: it says the same, and is called otherwise. */
function parseAgain(item: Item): JsonObject {
  const uuid = toUuid(`${item.id} again`);
  switch (item.type) {
    case "reasoning": {
      const content = [{ type: "reasoning_text", text: item.text }];
      return { id: `rs_${uuid}`, type: "reasoning", summary: [], content, encrypted_content: null, status: null };
    }
    case "message":
      return toMessage(`msg_${uuid}`, item.text);
    case "call":
      return { ...item.json, id: `fc_${uuid}`, call_id: `call_${uuid}` };
  }
}

/** The same one in every run. */
function toUuid(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 32);
}
