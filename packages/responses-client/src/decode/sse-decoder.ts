import { createParser, type EventSourceMessage } from "eventsource-parser";

/** Takes the bytes of an event stream as they come, cut anywhere, and gives the messages that they complete. */
export type SseDecoder = (bytes: Uint8Array) => readonly EventSourceMessage[];

/** In bytes: longer than any event, one with an image too. What grows beyond it has no end. */
const longestMessage = 64 * 1024 * 1024;

export interface SseDecoderOptions {
  /** Called for a message that grows beyond all bounds; it throws, and the decoder is spent. */
  readonly onEndless: () => never;
  /** Whether nobody reads the data of such events: it is given empty. */
  readonly isUnread: (event: string | undefined) => boolean;
}

/**
 * Lines are found in the bytes, one character each: what marks them is ASCII. Only messages that hold more than that are read
 * as UTF-8, whole.
 */
export function createSseDecoder({ onEndless, isUnread }: SseDecoderOptions): SseDecoder {
  let messages: EventSourceMessage[] = [];
  let head: Buffer | null = Buffer.alloc(0);
  /** Nothing but ASCII came so far: asked of a piece, and not of each message in it. */
  let isPlain = true;
  const parser = createParser({
    maxBufferSize: longestMessage,
    onEvent: (message) => messages.push(read(message)),
    onError: ({ type }) => type === "max-buffer-size-exceeded" && onEndless(),
  });

  function read(message: EventSourceMessage): EventSourceMessage {
    if (isUnread(message.event)) return { ...message, data: "" };
    return isPlain ? message : toText(message);
  }

  return (bytes) => {
    messages = [];
    let own = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (head !== null) {
      own = Buffer.concat([head, own]);
      head = own.length < byteOrderMarkBytes ? own : null;
      if (head !== null) return messages;
    }
    const text = own.toString("latin1");
    isPlain &&= Buffer.byteLength(text) === text.length;
    parser.feed(text);
    return messages;
  };
}

/** The parser looks for one in the first piece that it is given. */
const byteOrderMarkBytes = 3;
const beyondAscii = /[\u0080-\u00ff]/;

function toText(message: EventSourceMessage): EventSourceMessage {
  if (!beyondAscii.test(message.data)) return message;
  return { ...message, data: Buffer.from(message.data, "latin1").toString("utf8") };
}
