import { createParser } from "eventsource-parser";
import { ServerFault } from "../../fault/server-fault.ts";

/** How the body of a response ended. */
interface BodyEnd {
  /** Null: normally. */
  readonly fault: ServerFault | null;
  /** The server numbered its events: the remaining ones can be requested again. */
  readonly isResumable: boolean;
}

export interface BodyWatch {
  /** The limit for a body that is one message, or for one event of a stream. */
  readonly maxMessageBytes: number;
  /** Called once, when nothing more of the body will be read. */
  readonly onEnd: (end: BodyEnd) => void;
}

/** The same response. Its body ends in a `ServerFault` `too_large` before a message is too large to hold. */
export function watchBody(response: Response, watch: BodyWatch): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) {
    watch.onEnd({ fault: null, isResumable: false });
    return response;
  }
  return new Response(watchBytes(body, createMeter(headers), watch), { status, statusText, headers });
}

function watchBytes(body: ReadableStream<Uint8Array>, meter: Meter, watch: BodyWatch): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const end = (fault: ServerFault | null): void => watch.onEnd({ fault, isResumable: meter.isResumable() });

  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await readOrEnd(reader, end);
      if (done) {
        end(null);
        controller.close();
      } else if (meter.add(value) <= watch.maxMessageBytes) {
        controller.enqueue(value);
      } else {
        const fault = new ServerFault("too_large", `its answer is over the limit of ${watch.maxMessageBytes} bytes`);
        end(fault);
        controller.error(fault);
        await reader.cancel();
      }
    },
    async cancel() {
      end(null);
      await reader.cancel();
    },
  });
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function readOrEnd(reader: Reader, end: (fault: null) => void): ReturnType<Reader["read"]> {
  try {
    return await reader.read();
  } catch (error) {
    end(null);
    throw error;
  }
}

interface Meter {
  /** Returns the size of the current message so far, in bytes. */
  add(bytes: Uint8Array): number;
  isResumable(): boolean;
}

/** A body is one message, or a stream in which each event is a new message. */
function createMeter(headers: Headers): Meter {
  let size = 0;
  let isResumable = false;
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent(event) {
      size = 0;
      isResumable ||= event.id !== undefined;
    },
    onComment() {
      size = 0;
    },
  });
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;

  return {
    add(bytes) {
      size += bytes.length;
      if (isStream) parser.feed(decoder.decode(bytes, { stream: true }));
      return size;
    },
    isResumable: () => isResumable,
  };
}
