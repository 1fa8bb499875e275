import { createParser, type EventSourceMessage } from "eventsource-parser";

/** Takes the bytes of an event stream as they come, cut anywhere, and gives the messages that they complete. */
export type SseDecoder = (bytes: Uint8Array) => readonly SseMessage[];

/** What a message says, as bytes: one character each. Nearly all are ASCII, and for those `readText` has nothing to do. */
export interface SseMessage {
  readonly event?: string | undefined;
  readonly data: string;
}

/** In bytes: longer than any event, one with an image too. What grows beyond it has no end. */
const longestMessage = 64 * 1024 * 1024;

/** `onEndless`: called for a message that grows beyond all bounds; it throws, and the decoder is spent. */
export function createSseDecoder(onEndless: () => never): SseDecoder {
  let messages: EventSourceMessage[] = [];
  let head: Buffer | null = Buffer.alloc(0);
  const parser = createParser({
    maxBufferSize: longestMessage,
    onEvent: (message) => messages.push(message),
    onError: ({ type }) => type === "max-buffer-size-exceeded" && onEndless(),
  });

  return (bytes) => {
    messages = [];
    let own = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (head !== null) {
      own = Buffer.concat([head, own]);
      head = own.length < byteOrderMarkBytes ? own : null;
      if (head !== null) return messages;
    }
    parser.feed(own.toString("latin1")); // what marks lines is ASCII
    return messages;
  };
}

/** The parser looks for one in the first piece that it is given. */
const byteOrderMarkBytes = 3;
const beyondAscii = /[\u0080-\u00ff]/;

/** The data of a message as text, which is UTF-8. */
export function readText({ data }: SseMessage): string {
  return beyondAscii.test(data) ? Buffer.from(data, "latin1").toString("utf8") : data;
}
