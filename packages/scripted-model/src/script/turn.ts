import type { ResponseUsage } from "@unroll/protocol";
import type { Expectation } from "../check/expectation.ts";
import type { JsonObject } from "../json.ts";

/** One answer to one request: output items, events, bytes, or a plain HTTP answer. */
export type Turn = ItemsTurn | EventsTurn | RawTurn | StaleTurn | HttpTurn;

/** Settings for every kind of turn. */
export interface TurnSettings {
  /** HTTP status; 200 when absent. */
  readonly status?: number;
  /** Set besides, or over, the server's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Wait before the status line, in ms. */
  readonly delayMs?: number;
  /** Wait before each event after the first, in ms. */
  readonly eventDelayMs?: number;
  /** Breaks the answer off. */
  readonly cut?: Cut;
  /** All is sent, but the answer is never ended and the socket stays open. */
  readonly keepOpen?: boolean;
  /** The request may break the prefix law: a compaction came before it. */
  readonly newEpoch?: boolean;
  /** Parts that the request must have; a missing one is a violation. */
  readonly expect?: Expectation;
}

/** A response made of output items; the server writes the whole event sequence. */
export interface ItemsTurn extends TurnSettings {
  readonly items: readonly TurnItem[];
  /** The terminal event; `completed` when absent. `none`: the stream just ends (or, with `keepOpen`, hangs). */
  readonly end?: TurnEnd;
  /** Absent: estimated from the bytes. Null: none is sent. */
  readonly usage?: ResponseUsage | null;
  /** The most UTF-8 bytes in one delta; 32 when absent. A character is never split. */
  readonly chunkBytes?: number;
}

/** Events sent as they are: an object as one SSE message, text as it stands (comments, garbage). */
export interface EventsTurn extends TurnSettings {
  readonly events: readonly (JsonObject | string)[];
}

/** The body of an event stream, as it stands. */
export interface RawTurn extends TurnSettings {
  readonly raw: string | Uint8Array;
}

/**
 * The server has lost the keys of what it encrypted: it refuses the request, which must hold some of that, and any later one
 * of the thread that holds it still. The thread's next request may break the prefix law.
 */
export interface StaleTurn extends TurnSettings {
  readonly stale: true;
}

/** No stream: a status and a body. `body` is sent as JSON, a string as it stands; absent: an error that names the status. */
export interface HttpTurn extends TurnSettings {
  readonly status: number;
  readonly body?: unknown;
}

/** How an answer of the script ends: whole, cut off without its last event (`none`), failed, or incomplete for this reason. */
export type TurnEnd =
  | "completed"
  | "none"
  | { readonly failed: { readonly code: string; readonly message: string } }
  | { readonly incomplete: string };

/**
 * Where and how an answer breaks off. `close`: the socket is closed in mid-body; `reset`: by a TCP reset; `end`: the body
 * ends properly, only too early; `hang`: nothing more comes and the socket stays open. After 0: only the status line.
 */
export type Cut = ({ readonly afterEvents: number } | { readonly afterBytes: number }) & {
  readonly how: "close" | "reset" | "end" | "hang";
};

/** An output item whole (any `type`; missing ids and states are filled in for the known ones), or in short. */
export type TurnItem =
  | (JsonObject & { readonly type: string })
  /** A message of the assistant. */
  | { readonly text: string }
  /** A reasoning item with this summary and, where `include` asks for it, a made-up `encrypted_content`. */
  | { readonly reasoning: string }
  /** A function call; `arguments` as JSON, or as text to be sent as it stands. */
  | { readonly call: string; readonly arguments: unknown; readonly call_id?: string }
  /** A call of a freeform tool. */
  | { readonly custom: string; readonly input: string; readonly call_id?: string }
  /** A search that the provider ran. */
  | { readonly search: string }
  /** Not an item: sent between the items, like an entry of `events`. */
  | { readonly event: JsonObject | string };
