import { once } from "@unroll/flow";
import type { ResponseDeltaEvent, ResponseEvent } from "@unroll/protocol";
import * as z from "zod";
import { decodeItem } from "./decode-item.ts";
import { decodeTerminalEvent } from "./decode-terminal-event.ts";
import { learnShape, type ReadAlike } from "./learn-shape.ts";
import { mendCall } from "./mend-call.ts";
import { parseJson } from "./parse-json.ts";
import { dropMember, sliceMember } from "./slice-json.ts";
import { readText, type SseMessage } from "./sse-decoder.ts";

type WireEvent = Readonly<Record<string, unknown>>;

const index = once(() => z.number().catch(0));
const textOrNothing = once(() => z.string().optional().catch(undefined));

/** Such events say nothing that we use, and repeat the request, or what came by pieces: their data is not even read. */
const echoes: ReadonlySet<string | undefined> = new Set([
  "response.created",
  "response.in_progress",
  "response.content_part.added",
  "response.content_part.done",
  "response.output_text.done",
  "response.reasoning_summary_part.done",
  "response.reasoning_summary_text.done",
  "response.reasoning_text.done",
  "response.function_call_arguments.done",
  "response.custom_tool_call_input.done",
]);
/** Those that end a response repeat it all once more. */
const endings: ReadonlySet<string | undefined> = new Set([
  "response.completed",
  "response.failed",
  "response.incomplete",
]);

const itemAddedSchema = once(() =>
  z.object({
    type: z.literal("response.output_item.added"),
    output_index: index(),
    item: z.object({ type: z.string(), id: textOrNothing(), name: textOrNothing() }),
  }),
);
const summaryPartSchema = once(() =>
  z.object({
    type: z.literal("response.reasoning_summary_part.added"),
    item_id: z.string().catch(""),
    output_index: index(),
    summary_index: index(),
  }),
);

/**
 * The event of a message; null where its data is not JSON, its type is not of `ResponseEvent` or what makes it that
 * is missing. A last event that is malformed is one of type `error` with the code `invalid_answer`.
 */
export type DecodeEvent = (message: SseMessage) => ResponseEvent | null;

/** For the messages of one answer, in their order. */
export function createEventDecoder(): DecodeEvent {
  let last: ResponseDeltaEvent | null = null;
  let readAlike: ReadAlike | null = null;
  let isLearned = false;
  return (message) => {
    const alike = readAlike === null ? null : readAlike(message.data);
    if (alike !== null) return alike;
    const event = parseEvent(message);
    if (event === null || !isDeltaEvent(event)) return event;
    // learned from the second of an item: many a short answer has but one
    if (event.type !== last?.type || event.item_id !== last.item_id) [last, isLearned] = [event, false];
    else if (!isLearned) [readAlike, isLearned] = [learnShape(message.data, event), true];
    return event;
  };
}

function parseEvent(message: SseMessage): ResponseEvent | null {
  if (echoes.has(message.event)) return null;
  const json = readText(message);
  const value = parseJson(endings.has(message.event) ? dropEchoed(json) : json);
  if (!isWireEvent(value)) return null;
  switch (value["type"]) {
    case "response.output_text.delta":
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
    case "response.function_call_arguments.delta":
    case "response.custom_tool_call_input.delta":
      return isDelta(value) ? value : null;
    case "response.output_item.added":
      return itemAddedSchema().safeParse(value).data ?? null;
    case "response.reasoning_summary_part.added":
      return summaryPartSchema().safeParse(value).data ?? null;
    case "response.output_item.done":
      return decodeItemDone(value, json);
    case "response.completed":
    case "response.failed":
    case "response.incomplete":
    case "error":
      return decodeTerminalEvent(value);
    default:
      return null;
  }
}

function dropEchoed(json: string): string {
  return ["instructions", "tools", "output"].reduce(dropMember, json);
}

function isDeltaEvent(event: ResponseEvent): event is ResponseDeltaEvent {
  return "delta" in event;
}

function isWireEvent(value: unknown): value is WireEvent {
  return typeof value === "object" && value !== null;
}

// Nearly all events are deltas: checked by hand, and not copied. A schema would cost as much as all the rest.
function isDelta(value: WireEvent): value is WireEvent & ResponseDeltaEvent {
  return (
    typeof value["delta"] === "string" &&
    typeof value["item_id"] === "string" &&
    typeof value["output_index"] === "number"
  );
}

function decodeItemDone(value: WireEvent, json: string): ResponseEvent | null {
  const item = mendCall(value["item"]) ?? decodeItem(value["item"], () => sliceMember(json, "item"));
  return item && { type: "response.output_item.done", output_index: index().parse(value["output_index"]), item };
}
