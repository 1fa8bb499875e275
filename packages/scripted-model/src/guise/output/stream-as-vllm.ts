import { createHash } from "node:crypto";
import { cutText } from "../../answer/cut-text.ts";
import type { PlannedResponse } from "../../answer/response-events.ts";
import { responseObject } from "../../answer/response-object.ts";
import type { JsonObject } from "../../json.ts";
import { listParts, type OutputPart } from "./list-parts.ts";
import { toMessage, toTextPart } from "./to-message.ts";

type Events = Generator<JsonObject | string, void>;
type Item = Exclude<OutputPart, { readonly type: "stray" }>;

/**
 * An answer as vLLM writes it: `response.completed` also where the response is incomplete, nothing at all where it fails, ids without a prefix, a call without
 * arguments as an empty text, and a final output that was parsed again, with other ids and other call ids. `isHarmony`: as for
 * gpt-oss, whose finished calls have members of an event and no id, and whose content indexes go on from item to item.
 */
export function* streamAsVllm(response: PlannedResponse, isHarmony: boolean): Events {
  const number = createNumbering();
  const begun = responseObject(response, {});
  yield number({ type: "response.created", response: begun });
  yield number({ type: "response.in_progress", response: begun });
  const items: Item[] = [];
  for (const part of listParts(response)) {
    if (part.type === "stray") yield part.event;
    else {
      const place = { outputIndex: items.length, contentIndex: isHarmony ? items.length : 0, isHarmony };
      for (const event of writeItem(part, { ...place, chunkBytes: response.chunkBytes })) yield number(event);
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

function writeItem(item: Item, place: Place): Generator<JsonObject, void> {
  switch (item.type) {
    case "reasoning":
      return writeReasoning(item, place);
    case "message":
      return writeMessage(item, place);
    case "call":
      return writeCall(item, place);
  }
}

function* writeReasoning(
  { id: key, text }: Extract<Item, { type: "reasoning" }>,
  { outputIndex, contentIndex, isHarmony, chunkBytes }: Place,
): Generator<JsonObject, void> {
  const id = isHarmony ? `msg_${toUuid(key)}` : toUuid(key);
  const item = { id, type: "reasoning", summary: [] };
  const where = { item_id: id, output_index: outputIndex, content_index: contentIndex };
  const part = { type: "reasoning_text", text };
  yield { type: "response.output_item.added", output_index: outputIndex, item: { ...item, status: "in_progress" } };
  yield { type: "response.reasoning_part.added", ...where, part: { ...part, text: "" } };
  for (const delta of cutText(text, chunkBytes)) yield { type: "response.reasoning_text.delta", ...where, delta };
  yield { type: "response.reasoning_text.done", ...where, text };
  yield { type: "response.reasoning_part.done", ...where, part };
  const whole = { ...item, status: "completed", content: [part] };
  yield { type: "response.output_item.done", output_index: outputIndex, item: whole };
}

function* writeMessage(
  { id: key, text }: Extract<Item, { type: "message" }>,
  { outputIndex, contentIndex, isHarmony, chunkBytes }: Place,
): Generator<JsonObject, void> {
  const id = isHarmony ? `msg_${toUuid(key)}` : toUuid(key);
  const item = toMessage(id, text);
  const where = { item_id: id, output_index: outputIndex, content_index: contentIndex };
  const begun = { ...item, status: "in_progress", content: [] };
  yield { type: "response.output_item.added", output_index: outputIndex, item: begun };
  yield { type: "response.content_part.added", ...where, part: toTextPart("") };
  for (const delta of cutText(text, chunkBytes)) {
    yield { type: "response.output_text.delta", ...where, delta, logprobs: [] };
  }
  yield { type: "response.output_text.done", ...where, text, logprobs: [] };
  yield { type: "response.content_part.done", ...where, part: toTextPart(text) };
  yield { type: "response.output_item.done", output_index: outputIndex, item };
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

function createNumbering(): (event: JsonObject) => JsonObject {
  let next = 0;
  return (event) => ({ ...event, sequence_number: next++ });
}
