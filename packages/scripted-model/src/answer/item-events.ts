import { isJsonObject, type JsonObject } from "../json.ts";
import type { OutputItem } from "./complete-item.ts";

/** The events of one output item, from `added` to `done`, in the order of the Responses API; each text in one delta. */
export function* itemEvents({ id, json }: OutputItem, outputIndex: number): Generator<JsonObject, void> {
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
