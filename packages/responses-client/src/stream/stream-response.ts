import type { ResponseDeltaEvent, ResponseEvent, ResponseTerminalEvent, StreamOutcome } from "@unroll/protocol";
import { createEventDecoder, type DecodeEvent } from "../decode/decode-event.ts";
import { readRequestId } from "../failure/http-failure.ts";
import { createCutFailure } from "../failure/network-failure.ts";
import { createTerminalFailure, type FailedEvent } from "../failure/terminal-failure.ts";
import { createSseDecoder, type SseMessage } from "../decode/sse-decoder.ts";
import type { Answer } from "../transport/exchange.ts";
import { createDeltaMerger } from "./merge-deltas.ts";
import type { OngoingEvent } from "./ongoing-event.ts";

export type CompletedStream = Extract<StreamOutcome, { readonly type: "completed" }>;

interface Batch {
  readonly events: readonly OngoingEvent[];
  readonly terminal: ResponseTerminalEvent | null;
}

/** Waits behind a batch of deltas, of so many bytes, until the next one is wanted; never rejects, and ends early on an abort. */
export type Rest = (bytes: number) => Promise<void>;

/** Of one read: nobody reads text that comes so fast, and it need not be told as often. */
const fastBytes = 4 * 1024;

/** Of one read: where so many bytes had gathered, the server is ahead of us, and no wait makes its deltas fewer. */
const gatheredBytes = 48 * 1024;

const endlessEvent: FailedEvent = { type: "error", code: "invalid_answer", message: "an event has no end" };

/**
 * The events of one answer, as many at a time as came together or during a rest; deltas that go on with each other are one. It
 * ends at the terminal event, not with the connection. Throws a `RequestFailure` where that event is not `response.completed`, or never comes.
 */
export async function* streamResponse(
  send: () => Promise<Answer>,
  idleTimeoutMs: number,
  rest: Rest | null = null,
): AsyncGenerator<readonly OngoingEvent[], CompletedStream> {
  const answer = await send();
  const origin = { host: answer.host, ...readRequestId(answer.headers) };
  const onEndless = (): never => {
    throw createTerminalFailure(endlessEvent, origin);
  };
  const decode = createSseDecoder(onEndless);
  const decodeEvent = createEventDecoder();
  try {
    for (let bytes = await answer.read(idleTimeoutMs); bytes !== null; bytes = await answer.read(idleTimeoutMs)) {
      const { events, terminal } = decodeBatch(decode(bytes), decodeEvent);
      if (terminal !== null) answer.release();
      if (events.length > 0) yield events;
      if (terminal?.type === "response.completed") {
        const { id, usage } = terminal.response;
        return { type: "completed", responseId: id, usage: usage ?? null };
      }
      if (terminal !== null) throw createTerminalFailure(terminal, origin);
      if (rest !== null && bytes.length < gatheredBytes && isText(events)) await rest(bytes.length);
    }
    throw createCutFailure(answer.host);
  } finally {
    answer.destroy();
  }
}

/** `gapMs`: for text that a person may read as it comes. */
export function createRest(gapMs: number, sleep: (ms: number) => Promise<void>): Rest {
  return (bytes) => sleep(bytes > fastBytes ? 2 * gapMs : gapMs);
}

function decodeBatch(messages: readonly SseMessage[], decodeEvent: DecodeEvent): Batch {
  const merger = createDeltaMerger();
  for (const message of messages) {
    const event = decodeEvent(message);
    if (event === null) continue;
    if (isDelta(event) || !isTerminal(event)) merger.push(event);
    else return { events: merger.take(), terminal: event };
  }
  return { events: merger.take(), terminal: null };
}

function isText(events: readonly OngoingEvent[]): boolean {
  return events.length > 0 && events.every(isDelta);
}

/** Nearly all are: asked first. */
function isDelta(event: ResponseEvent): event is ResponseDeltaEvent {
  return "delta" in event;
}

function isTerminal(event: ResponseEvent): event is ResponseTerminalEvent {
  switch (event.type) {
    case "response.completed":
    case "response.failed":
    case "response.incomplete":
    case "error":
      return true;
    case "response.output_item.added":
    case "response.output_item.done":
    case "response.output_text.delta":
    case "response.reasoning_summary_part.added":
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
    case "response.function_call_arguments.delta":
    case "response.custom_tool_call_input.delta":
      return false;
  }
}
