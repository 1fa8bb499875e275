import { once } from "node:events";
import type { Writable } from "node:stream";

/** What a client is reached by: a pair of streams. */
export interface ClientConnection {
  readonly input: AsyncIterable<Uint8Array | string>;
  readonly output: Writable;
  /** Whether each write reaches it as a message of its own. Absent: it looks for the ends of lines. */
  readonly isFramed?: boolean;
  /** How long it may take nothing before it is given up, in ms; null: for ever, as nobody else waits for it. */
  readonly patienceMs: number | null;
  readonly close: () => void;
}

/** Writes lines to one client. */
export interface Outbox {
  post(message: object): void;
  /** As of `LineClient`. */
  room(): Promise<void> | null;
  /** Hands over what is gathered. */
  flush(): void;
}

/** More is not held back; as much as a stream of Node.js holds before it says that it is full. */
const gatheredCharacters = 16 * 1024;

export function createOutbox({ output, isFramed = false, patienceMs, close }: ClientConnection): Outbox {
  let isGone = false;
  const leave = (): void => {
    isGone = true;
    close();
  };
  /** What is told in one turn of the event loop goes out as one: a write a line costs more than the line. */
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
  /** One wait for all that make something for this client. */
  let waiting: Promise<void> | null = null;
  async function waitForRoom(): Promise<void> {
    const done = new AbortController();
    const limit = patienceMs === null ? done.signal : AbortSignal.any([done.signal, AbortSignal.timeout(patienceMs)]);
    const events = ["drain", "close"].map((event) => once(output, event, { signal: limit }));
    try {
      await Promise.race(events);
    } catch {
      leave(); // it takes nothing, or it broke
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
