import { once } from "node:events";
import type { Writable } from "node:stream";

/** A connection to a client: a pair of streams. */
export interface ClientConnection {
  readonly input: AsyncIterable<Uint8Array | string>;
  readonly output: Writable;
  /** Whether each write arrives as a message of its own. Absent: the client splits lines. */
  readonly isFramed?: boolean;
  /** How long the client may read nothing before it is given up, in ms; null: forever, as nobody else waits for it. */
  readonly patienceMs: number | null;
  readonly close: () => void;
}

/** Writes lines to one client. */
export interface Outbox {
  post(message: object): void;
  /** As of `LineClient`. */
  room(): Promise<void> | null;
  /** Writes what is gathered. */
  flush(): void;
}

/** More is written at once: it is as much as a stream of Node.js takes before it is full. */
const gatheredCharacters = 16 * 1024;

export function createOutbox({ output, isFramed = false, patienceMs, close }: ClientConnection): Outbox {
  let isGone = false;
  const leave = (): void => {
    isGone = true;
    close();
  };
  /** Messages of one turn of the event loop go out in one write: a write a line costs more than the line. */
  let gathered = "";
  const gather = (text: string): void => {
    if (gathered === "") setImmediate(flush);
    gathered += text;
    if (isFramed || gathered.length >= gatheredCharacters) flush();
  };
  const flush = (): void => {
    const text = gathered;
    gathered = "";
    if (text !== "" && !isGone) output.write(text);
  };
  /** One wait for all senders. */
  let waiting: Promise<void> | null = null;
  async function waitForRoom(): Promise<void> {
    const done = new AbortController();
    const limit = patienceMs === null ? done.signal : AbortSignal.any([done.signal, AbortSignal.timeout(patienceMs)]);
    const events = ["drain", "close"].map((event) => once(output, event, { signal: limit }));
    try {
      await Promise.race(events);
    } catch {
      leave(); // it reads nothing, or it broke
    } finally {
      done.abort();
      await Promise.allSettled(events);
    }
  }
  output.once("error", leave).once("close", () => (isGone = true));
  return {
    flush,
    post(message) {
      if (isGone) return;
      const text = JSON.stringify(message);
      gather(isFramed ? text : `${text}\n`);
    },
    room() {
      if (isGone || !output.writableNeedDrain) return null;
      waiting ??= waitForRoom().finally(() => (waiting = null));
      return waiting;
    },
  };
}
