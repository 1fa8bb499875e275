import { StringDecoder } from "node:string_decoder";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { decodeEnding } from "./decode-ending.ts";
import { parseJson, sliceMember } from "./slice-json.ts";
import {
  type Fields,
  isFields,
  partTypes,
  textTypes,
  type WireDelta,
  type WireEvent,
  type WireText,
} from "./wire-event.ts";

/** They repeat the request, or a text that the event before has as well: their data is not even parsed. */
const echoes: ReadonlySet<unknown> = new Set([
  "response.created",
  "response.in_progress",
  "response.queued",
  "response.content_part.done",
  "response.reasoning_part.done",
  "response.reasoning_summary_part.done",
]);

/** Other events that no item needs: progress of servers' own tools, and signs of life. */
const asides: readonly RegExp[] = [
  /^response\.(?:web_search_call|file_search_call|image_generation_call|code_interpreter_call|mcp_call)\./,
  /^response\.(?:mcp_list_tools|mcp_call_arguments|code_interpreter_call_code|output_text\.annotation)\./,
  /^response\.(?:shell_call_command|shell_call_output_content|audio|steer|compaction)\./,
  /^(?:codex\.|ping$|keep-?alive$|heartbeat$)/,
];

/** Nearly all events are deltas: they are passed on as they were parsed. */
export function isDelta(event: WireEvent): event is WireDelta {
  return "delta" in event;
}

/** Decodes a message; null: it does not matter. */
export function decodeEvent({ event, data: json }: SseMessage): WireEvent | null {
  if (echoes.has(event)) return null;
  if (json === "[DONE]") return { type: "mark" };
  const value = parseJson(json);
  if (!isFields(value)) return json === "" ? null : { type: "unread", what: "data that is not an event" };
  if (isWrittenDelta(value)) return value;
  if (typeof value["type"] === "string") return readEvent(value["type"], value, json);
  const named = { ...value, type: event ?? "" };
  return isWrittenDelta(named) ? named : readEvent(named.type, named, json);
}

/** Checked by hand, and not copied: a schema would cost as much as all the rest. */
function isWrittenDelta(value: Fields): value is WireDelta {
  return typeof value["delta"] === "string" && textTypes.has(value["type"]);
}

/** `json`: the text of the event. */
function readEvent(type: string, value: Fields, json: string): WireEvent | null {
  switch (type) {
    case "response.output_item.added":
    case "response.output_item.done": {
      const item = value["item"];
      if (!isFields(item) || typeof item["type"] !== "string") return { type: "unread", what: type };
      const readItem = (): string | null => sliceMember(json, "item");
      const happened = type.endsWith("added") ? "item.began" : "item.ended";
      return { type: happened, item: { value: item, readText: readItem }, fields: value };
    }
    case "response.completed":
    case "response.failed":
    case "response.incomplete":
    case "error":
      return decodeEnding(type, value, json);
    case "response.content_part.added":
    case "response.reasoning_part.added":
    case "response.reasoning_summary_part.added":
      return readPart(type, value);
    default:
      return readWhole(type, value) ?? readOther(type, value, json);
  }
}

/** Parts of a kind that we do not know come with their item: null. */
function readPart(type: string, fields: Fields): WireText | null {
  const written = isFields(fields["part"]) ? fields["part"] : {};
  const part = partTypes.get(type.includes("summary") ? "summary_text" : written["type"]);
  const text = written["text"] ?? written["refusal"];
  return part ? { type: "part.began", part, text: typeof text === "string" ? text : "", fields } : null;
}

/** A whole text in an event; null: the event has none. */
function readWhole(type: string, fields: Fields): WireText | null {
  const part = type.endsWith(".done") ? textTypes.get(type.replace(/done$/, "delta")) : undefined;
  if (part === undefined) return null;
  const whole = fields[part.kind] ?? fields["text"] ?? "";
  return { type: "part.ended", part, text: typeof whole === "string" ? whole : JSON.stringify(whole), fields };
}

function readOther(type: string, value: Fields, json: string): WireEvent | null {
  const { error } = value;
  if (echoes.has(type) || asides.some((aside) => aside.test(type))) return null;
  if (isFields(error) || (typeof error === "string" && error !== "")) return decodeEnding("error", value, json);
  return { type: "unread", what: type === "" ? "data without a type" : type };
}

/** Takes the bytes of an event stream as they arrive, cut anywhere, and returns the messages that they complete. */
type SseDecoder = (bytes: Uint8Array) => readonly SseMessage[];

/** One message of an event stream. */
export interface SseMessage {
  readonly event?: string | undefined;
  readonly data: string;
}

/** In characters: longer than any event, one with an image too. A message that grows beyond it has no end. */
const longestMessage = 64 * 1024 * 1024;

interface DecoderCalls {
  /** Called for a message that grows beyond all bounds; it throws, and the decoder is spent. */
  readonly onEndless: () => never;
  /** Called for each whole message and each whole comment: servers send comments as signs of life. */
  readonly onWhole: () => void;
}

export function createSseDecoder({ onEndless, onWhole }: DecoderCalls): SseDecoder {
  let messages: EventSourceMessage[] = [];
  const decoder = new StringDecoder("utf8");
  const parser = createParser({
    maxBufferSize: longestMessage,
    onEvent: (message) => {
      messages.push(message);
      onWhole();
    },
    onComment: onWhole,
    onError: ({ type }) => type === "max-buffer-size-exceeded" && onEndless(),
  });

  return (bytes) => {
    messages = [];
    const text = decoder.write(bytes);
    if (text !== "") parser.feed(text); // it looks for a byte order mark in the first piece
    return messages;
  };
}
