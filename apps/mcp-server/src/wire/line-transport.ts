import { once } from "node:events";
import type { Writable } from "node:stream";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { maxLineBytes, readClientLines } from "@unroll/thread-host/wire";
import { findLimitFault } from "./find-limit-fault.ts";
import { createGate } from "./message-gate.ts";
import { parseMessage } from "./parse-message.ts";

interface LineLink {
  readonly input: AsyncIterable<Uint8Array | string>;
  readonly output: Writable;
}

/** A transport whose input ends; it can still send its remaining messages then. */
export interface LineTransport extends Transport {
  /** Resolves when nothing comes any more. */
  readonly ended: Promise<void>;
  /** Resolves when all that it asked was answered. */
  answered(): Promise<void>;
}

/**
 * A client of one JSON object a line. Replaces the SDK's own transport, which ignores invalid messages and messages at
 * the wrong time: here each gets an error.
 */
export function createLineTransport({ input, output }: LineLink): LineTransport {
  const gate = createGate();
  const ended = Promise.withResolvers<void>();

  /** Waits if the client reads slowly, so its senders wait, too. */
  async function write(message: object): Promise<void> {
    if (output.destroyed || output.writableEnded) return;
    if (!output.write(`${JSON.stringify(message)}\n`)) await takesMore(output);
  }

  async function refuse(id: string | number | null, code: number, message: string): Promise<void> {
    await write({ jsonrpc: "2.0", ...(id === null ? {} : { id }), error: { code, message } });
  }

  async function take(line: string): Promise<void> {
    const parsed = parseMessage(line);
    if (parsed.type === "broken") return refuse(parsed.id, parsed.code, parsed.fault);
    const { message } = parsed;
    const limit = isJSONRPCRequest(message) ? findLimitFault(message) : null;
    if (isJSONRPCRequest(message) && limit !== null) return refuse(message.id, -32602, limit);
    const fault = isJSONRPCRequest(message) ? gate.enter(message) : null;
    if (isJSONRPCRequest(message) && fault !== null) return refuse(message.id, fault.code, fault.message);
    if (isJSONRPCNotification(message)) gate.note(message);
    transport.onmessage?.(message);
  }

  async function read(): Promise<void> {
    try {
      for await (const line of readClientLines(input)) {
        if (line.type === "line") await take(line.text);
        else await refuse(null, -32600, `Skipped a line of ${line.bytes} bytes: the limit is ${maxLineBytes}.`);
      }
    } catch {
      // the connection broke: that is its end
    } finally {
      ended.resolve();
    }
  }

  const transport: LineTransport = {
    ended: ended.promise,
    answered: () => gate.answered(),
    async start() {
      read().catch(ended.resolve);
    },
    async send(message: JSONRPCMessage) {
      if (!("method" in message) && message.id !== undefined) gate.leave(message.id);
      await write(message);
    },
    async close() {
      transport.onclose?.();
    },
  };
  return transport;
}

/** Resolves also where it breaks: what is written then is lost, and somebody else tells it. */
async function takesMore(output: Writable): Promise<void> {
  const done = new AbortController();
  const events = ["drain", "close"].map((event) => once(output, event, { signal: done.signal }));
  try {
    await Promise.race(events).catch(() => {});
  } finally {
    done.abort();
    await Promise.allSettled(events);
  }
}
