import { createParser, type EventSourceMessage } from "eventsource-parser";

/** Takes the bytes of an event stream as they come, cut anywhere, and gives the messages that they complete. */
export type SseDecoder = (bytes: Uint8Array) => readonly EventSourceMessage[];

/** In characters: longer than any event, one with an image too. What grows beyond it has no end. */
const longestMessage = 64 * 1024 * 1024;

/** `onEndless` is called for a message that grows beyond all bounds; it throws, and the decoder is spent. */
export function createSseDecoder(onEndless: () => never): SseDecoder {
  const decoder = new TextDecoder();
  let messages: EventSourceMessage[] = [];
  const parser = createParser({
    maxBufferSize: longestMessage,
    onEvent: (message) => messages.push(message),
    onError: ({ type }) => type === "max-buffer-size-exceeded" && onEndless(),
  });
  return (bytes) => {
    messages = [];
    parser.feed(decoder.decode(bytes, { stream: true }));
    return messages;
  };
}
