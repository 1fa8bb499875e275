import type { ResponseTerminalEvent, StreamOutcome, StreamWarning } from "@unroll/protocol";
import { createAssembler } from "../assemble/create-assembler.ts";
import type { OngoingEvent } from "../assemble/create-texts.ts";
import { decodeEvent, isDelta, createSseDecoder, type SseMessage } from "../decode/decode-event.ts";
import type { WireDelta, WireEnding, WireEvent, WireMark } from "../decode/wire-event.ts";
import { readRequestId } from "../failure/http-failure.ts";
import { createCutFailure } from "../failure/network-failure.ts";
import { createTerminalFailure, type FailedEvent } from "../failure/terminal-failure.ts";
import type { Answer } from "../transport/exchange.ts";
import type { Loss } from "./create-loss-teller.ts";

export type CompletedStream = Extract<StreamOutcome, { readonly type: "completed" }>;

/** Waits behind a batch of deltas, of so many bytes, until the next one is wanted; never rejects, and ends early on an abort. */
export type Rest = (bytes: number) => Promise<void>;

export interface StreamOptions {
  /** Null, or absent: no waits. */
  readonly rest?: Rest | null;
  /** Returns warnings about a loss. Absent: none. */
  readonly tell?: (loss: Loss) => readonly StreamWarning[];
}

/** Bytes in one read: nobody can read faster text, so it need not be reported as often. */
const fastBytes = 4 * 1024;

/**
 * Bytes in one read: with this many waiting, the server is ahead of us, and no wait makes its
 * deltas fewer.
 */
const gatheredBytes = 48 * 1024;

/** Of events that cannot be read, each by itself. */
const mostTypes = 64;

const endlessEvent: FailedEvent = { type: "error", code: "invalid_answer", message: "an event has no end" };
const endlessAnswer: FailedEvent = { type: "error", code: "invalid_answer", message: "it has too many items" };

/**
 * The events of one response, grouped as they arrived together or during a pause; consecutive
 * deltas are combined. It ends at the terminal event or at `[DONE]`, not with the connection.
 * Throws a `RequestFailure` if the terminal event is not that of a complete response, or never
 * comes.
 */
export async function* streamResponse(
  send: () => Promise<Answer>,
  idleTimeoutMs: number,
  { rest = null, tell = () => [] }: StreamOptions = {},
): AsyncGenerator<readonly (OngoingEvent | StreamWarning)[], CompletedStream> {
  const answer = await send();
  const { host } = answer;
  const origin = { host, ...readRequestId(answer.headers) };
  const onEndless = (): never => {
    throw createTerminalFailure(endlessEvent, origin);
  };
  const decode = createSseDecoder({ onEndless, onWhole: () => answer.renew() });
  const reader = createReader();
  try {
    for (;;) {
      const bytes = await answer.read(idleTimeoutMs);
      const ending = bytes === null ? { type: "mark" as const } : reader.read(decode(bytes));
      if (ending?.type === "ending") answer.release();
      const events = reader.take();
      if (events.length > 0) yield events;
      const warnings = ending === null ? [] : tell({ host, ...reader.loss });
      if (warnings.length > 0) yield warnings;
      if (ending?.type === "ending") return toCompleted(ending.terminal, origin);
      if (bytes === null || ending !== null) throw createCutFailure(host);
      const hasOnlyText = events.length > 0 && events.every((event) => "delta" in event);
      if (rest !== null && bytes.length < gatheredBytes && hasOnlyText) await rest(bytes.length);
    }
  } finally {
    answer.destroy();
  }
}

/** `gapMs`: for text that a person may read as it comes. */
export function createRest(gapMs: number, wait: (ms: number) => Promise<void>): Rest {
  return (bytes) => wait(bytes > fastBytes ? 2 * gapMs : gapMs);
}

/** Messages to events, and what is lost between them. */
interface Reader {
  /** Reads up to the end of the response; null: it continues. */
  read(messages: readonly SseMessage[]): WireEnding | WireMark | null;
  take(): readonly OngoingEvent[];
  readonly loss: Omit<Loss, "host">;
}

function createReader(): Reader {
  const assembler = createAssembler();
  const unread = new Map<string, number>();
  const left: string[] = [];

  function count(type: string): void {
    const counted = unread.size < mostTypes || unread.has(type) ? type : "more types";
    unread.set(counted, (unread.get(counted) ?? 0) + 1);
  }

  function receive(event: Exclude<WireEvent, WireDelta>): WireEnding | WireMark | null {
    if (assembler.isFull) return { type: "ending", terminal: endlessAnswer, output: [] };
    if (event.type === "mark") return event;
    if (event.type === "ending") {
      left.push(...assembler.settle(event));
      return event;
    }
    if (event.type === "unread") count(event.what);
    else if ("item" in event) assembler.receiveItem(event);
    else assembler.receiveText(event);
    return null;
  }

  return {
    read(messages) {
      for (const message of messages) {
        const event = decodeEvent(message);
        if (event === null) continue;
        if (isDelta(event)) assembler.receiveDelta(event);
        else {
          const ending = receive(event);
          if (ending !== null) return ending;
        }
      }
      return null;
    },
    take: () => assembler.take(),
    loss: { unread, left },
  };
}

function toCompleted(
  terminal: ResponseTerminalEvent,
  origin: Parameters<typeof createTerminalFailure>[1],
): CompletedStream {
  if (terminal.type !== "response.completed") throw createTerminalFailure(terminal, origin);
  const { id, usage } = terminal.response;
  return { type: "completed", responseId: id, usage: usage ?? null };
}
