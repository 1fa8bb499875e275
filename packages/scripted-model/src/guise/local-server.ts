import { toTokens } from "../answer/estimate-usage.ts";
import type { PlannedResponse } from "../answer/response-events.ts";
import { isJsonObject, type JsonObject, parseJson } from "../json.ts";
import type { HttpTurn } from "../script/turn.ts";
import type { ReadRequest, RefusedRequest } from "./guise.ts";

const plainFields: ReadonlySet<string> = new Set([
  "model",
  "instructions",
  "input",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "stream",
  "reasoning",
  "text",
]);

/** Lists the parts of a request that are unknown to a server with only functions and an effort. */
export function findBeyondPlain(fields: JsonObject): readonly string[] {
  const { tools } = fields;
  const types = Array.isArray(tools) ? tools.map((tool) => (isJsonObject(tool) ? String(tool["type"]) : "?")) : [];
  const others = types.filter((type) => type !== "function");
  return [...findBeyondPlainFields(fields), ...others.map((type) => `it does not know tools of the type ${type}`)];
}

/** The same of a server that refuses other tools by itself. */
export function findBeyondPlainFields(fields: JsonObject): readonly string[] {
  const { reasoning } = fields;
  return [
    ...Object.keys(fields)
      .filter((name) => !plainFields.has(name))
      .map((name) => `it does not know the field ${name}`),
    ...(isJsonObject(reasoning) && "summary" in reasoning ? ["it does not know reasoning.summary"] : []),
  ];
}

/** A piece of what a model on a local server can say: reasoning, text and function calls, and nothing else. */
export type OutputPart =
  | { readonly type: "reasoning"; readonly id: string; readonly text: string }
  | { readonly type: "message"; readonly id: string; readonly text: string }
  /** `json`: a `function_call` item. A call that is broken on purpose may hold anything. */
  | { readonly type: "call"; readonly id: string; readonly json: JsonObject }
  | { readonly type: "stray"; readonly event: JsonObject | string };

/** The output of a response in the order in which the model said it. A freeform call becomes one of a function; items of other types are left out. */
export function listParts({ entries }: PlannedResponse): readonly OutputPart[] {
  return entries.flatMap((entry): readonly OutputPart[] => {
    if ("event" in entry) return [{ type: "stray", event: entry.event }];
    const { id, json } = entry;
    switch (json["type"]) {
      case "reasoning":
        return [{ type: "reasoning", id, text: readText(json["summary"]) + readText(json["content"]) }];
      case "message":
        return [{ type: "message", id, text: readText(json["content"]) }];
      case "function_call":
        return [{ type: "call", id, json }];
      case "custom_tool_call": {
        const { input, ...call } = json;
        return [{ type: "call", id, json: { ...call, type: "function_call", arguments: JSON.stringify({ input }) } }];
      }
      default:
        return [];
    }
  });
}

function readText(parts: unknown): string {
  if (!Array.isArray(parts)) return "";
  const texts = parts.filter(isJsonObject).flatMap(({ text, refusal }) => [text, refusal]);
  return texts.filter((text) => typeof text === "string").join("");
}

/** A finished message of the assistant. */
export function toMessage(id: string, text: string): JsonObject {
  return { id, type: "message", status: "completed", role: "assistant", content: [toTextPart(text)] };
}

export function toTextPart(text: string): JsonObject {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

/**
 * The rule of a model's chat template about message order. `system_first`: one system message, at the beginning (Qwen
 * 3.5's). `alternating`: user and assistant in turn, where calls and their results do not count (Mistral's). `any`:
 * none.
 */
export type TemplateRule = "any" | "system_first" | "alternating";

interface ChatMessage {
  readonly role: string;
  readonly hasCalls: boolean;
}

/** The words with which the template refuses the conversation; null: it takes it. */
export function findTemplateFault(rule: TemplateRule, body: RequestBody): string | null {
  const messages = toChat(body);
  switch (rule) {
    case "any":
      return null;
    case "system_first":
      return messages.slice(1).some(({ role }) => role === "system")
        ? "System message must be at the beginning."
        : null;
    case "alternating": {
      const own = messages.slice(messages[0]?.role === "system" ? 1 : 0);
      const counted = own.filter(({ role, hasCalls }) => role !== "tool" && !hasCalls);
      return counted.some(({ role }, index) => (role === "user") !== (index % 2 === 0))
        ? "After the optional system message, conversation roles must alternate user/assistant/user/assistant/..."
        : null;
    }
  }
}

/** The conversation as a template is given it: one message of the assistant for all that it said in a row. */
function toChat({ fields, items }: RequestBody): readonly ChatMessage[] {
  const messages: ChatMessage[] = "instructions" in fields ? [{ role: "system", hasCalls: false }] : [];
  for (const item of items) {
    const message = toChatMessage(item);
    const last = messages.at(-1);
    if (last?.role !== "assistant" || message.role !== "assistant") messages.push(message);
    else if (message.hasCalls) messages.splice(-1, 1, message);
  }
  return messages;
}

function toChatMessage({ type, role }: JsonObject): ChatMessage {
  if (type === "function_call") return { role: "assistant", hasCalls: true };
  if (type === "function_call_output") return { role: "tool", hasCalls: false };
  if (type === "reasoning") return { role: "assistant", hasCalls: false };
  return { role: role === "developer" ? "system" : String(role), hasCalls: false };
}

/** The fields of a request that a guise reads. */
export interface RequestBody {
  readonly fields: JsonObject;
  /** The items of `input`; a text is a message of the user. */
  readonly items: readonly JsonObject[];
  /** By the rule of thumb of the scripted model's usage. */
  readonly tokens: number;
}

export function readRequestBody({ fields, input }: ReadRequest): RequestBody {
  const items = input.map((item) => (isJsonObject(item) ? item : { type: "message", role: "user", content: item }));
  return { fields, items, tokens: toTokens(Buffer.byteLength(JSON.stringify({ ...fields, input }))) };
}

/** Whether somebody only tries whether the path is there. */
export function isEmptyRequest(body: Buffer): boolean {
  return body.toString("utf8").trim() === "{}";
}

/** A refusal of what the model would have read, which a next request may say otherwise. */
export function refuseContent(answer: HttpTurn | null): RefusedRequest | null {
  return answer === null ? null : { answer, endsEpoch: true };
}

/** The parts of an item's content, and of a call's output where that is a list. */
export function listContent({ content, output }: JsonObject): readonly JsonObject[] {
  return [content, output].flatMap((parts) => (Array.isArray(parts) ? parts.filter(isJsonObject) : []));
}

export function hasImages(items: readonly JsonObject[]): boolean {
  return items.some((item) => listContent(item).some(({ type }) => type === "input_image"));
}

/** Whether the arguments of a call are JSON. */
export function hasJsonArguments({ arguments: text }: JsonObject): boolean {
  try {
    parseJson(String(text));
    return true;
  } catch {
    return false;
  }
}
