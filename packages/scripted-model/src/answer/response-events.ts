import type { JsonObject } from "../json.ts";
import type { TurnEnd } from "../script/turn.ts";
import type { OutputItem, StrayEvent } from "./complete-item.ts";
import { cutText } from "./cut-text.ts";
import { itemEvents } from "./item-events.ts";
import { type ResponseIdentity, responseObject } from "./response-object.ts";

/** A response, ready to be told as events. */
export interface PlannedResponse extends ResponseIdentity {
  readonly entries: readonly (OutputItem | StrayEvent)[];
  readonly end: TurnEnd;
  readonly usage: unknown;
  /** The most UTF-8 bytes in one delta. */
  readonly chunkBytes: number;
}

/** The events of a whole response, numbered, from `response.created` to the terminal one. Stray events come as they are. */
export function* responseEvents(response: PlannedResponse): Generator<JsonObject | string> {
  const number = createNumbering(response.chunkBytes);
  const begun = responseObject(response, {});
  yield* number([{ type: "response.created", response: begun }]);
  yield* number([{ type: "response.in_progress", response: begun }]);
  const output: JsonObject[] = [];
  for (const entry of response.entries) {
    if ("event" in entry) {
      yield entry.event;
      continue;
    }
    yield* number(itemEvents(entry, output.length));
    output.push(entry.json);
  }
  yield* number(terminalEvents(response, output));
}

/** Numbers events across calls, and cuts each delta into pieces. */
function createNumbering(chunkBytes: number): (events: Iterable<JsonObject>) => Generator<JsonObject> {
  let next = 0;
  return function* number(events) {
    for (const event of events) {
      for (const piece of cutDelta(event, chunkBytes)) yield { ...piece, sequence_number: next++ };
    }
  };
}

function cutDelta(event: JsonObject, chunkBytes: number): readonly JsonObject[] {
  const { delta } = event;
  return typeof delta === "string" ? cutText(delta, chunkBytes).map((piece) => ({ ...event, delta: piece })) : [event];
}

function* terminalEvents(response: PlannedResponse, output: readonly JsonObject[]): Generator<JsonObject> {
  const { end, usage } = response;
  if (end === "none") return;
  const [status, state] = terminalState(end);
  const completedAt = status === "completed" ? { completed_at: Math.floor(response.createdAt / 1000) } : {};
  const whole = responseObject(response, { status, output, usage, ...completedAt, ...state });
  yield { type: `response.${status}`, response: whole };
}

function terminalState(end: Exclude<TurnEnd, "none">): readonly [status: string, state: JsonObject] {
  if (end === "completed") return ["completed", {}];
  if ("failed" in end) return ["failed", { error: end.failed, usage: null }];
  return ["incomplete", { incomplete_details: { reason: end.incomplete } }];
}
