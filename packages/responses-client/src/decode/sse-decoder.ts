import { StringDecoder } from "node:string_decoder";
import { createParser, type EventSourceMessage } from "eventsource-parser";

/** Takes the bytes of an event stream as they arrive, cut anywhere, and returns the messages that they complete. */
export type SseDecoder = (bytes: Uint8Array) => readonly SseMessage[];

/** One message of an event stream. */
export interface SseMessage {
  readonly event?: string | undefined;
  readonly data: string;
}

/** In characters: longer than any event, one with an image too. A message that grows beyond it has no end. */
const longestMessage = 64 * 1024 * 1024;

/** `onEndless`: called for a message that grows beyond all bounds; it throws, and the decoder is spent. */
export function createSseDecoder(onEndless: () => never): SseDecoder {
  let messages: EventSourceMessage[] = [];
  const decoder = new StringDecoder("utf8");
  const parser = createParser({
    maxBufferSize: longestMessage,
    onEvent: (message) => messages.push(message),
    onError: ({ type }) => type === "max-buffer-size-exceeded" && onEndless(),
  });

  return (bytes) => {
    messages = [];
    const text = decoder.write(bytes);
    if (text !== "") parser.feed(text); // it looks for a byte order mark in the first piece
    return messages;
  };
}
