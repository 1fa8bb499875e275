import { setTimeout as delay } from "node:timers/promises";
import { type JSONRPCMessage, parseJSONRPCMessage, type RequestId, type Transport } from "@modelcontextprotocol/client";
import * as z from "zod";
import { ServerFault } from "../../fault/server-fault.ts";
import { checkDepth } from "../check-depth.ts";
import type { PendingAnswers } from "../pending-answers.ts";
import { type Line, readLines } from "@unroll/text";
import type { ServerProcess } from "./server-process.ts";

export interface StdioTransportOptions {
  readonly pending: PendingAnswers;
  /** How long a message may be; a longer one is never held whole. */
  readonly maxMessageBytes: number;
  /** Takes each line that is no message; the next one is read when this resolves. */
  readonly onGarbage: (line: string) => Promise<void>;
  /** Called while a longer message comes of which it is not known yet whose answer it is. */
  readonly onOversized: () => void;
  /** How long the rest of a server's output may take to come after its end. */
  readonly drainMs: number;
}

const answerSchema = z.looseObject({ id: z.number(), method: z.never().optional() });

/** MCP over the stdin and stdout of a server: one JSON-RPC message a line. Closes when the server ends. */
export function createStdioTransport(server: ServerProcess, options: StdioTransportOptions): Transport {
  const { pending, maxMessageBytes, onGarbage, onOversized, drainMs } = options;
  let closing: Promise<void> | null = null;

  async function receive(line: Line): Promise<void> {
    if (line.type === "oversized") {
      const text = `its answer of ${line.bytes} bytes is over the limit of ${maxMessageBytes}`;
      return fail(new ServerFault("too_large", text), findAnswerId(line));
    }
    if (line.text.trim() === "") return;
    const value = parseJson(line.text);
    try {
      const message = parseMessage(value);
      pending.received(message);
      transport.onmessage?.(message);
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error;
      await onGarbage(line.text);
      const answer = answerSchema.safeParse(value);
      if (answer.success) fail(error, answer.data.id);
    }
  }

  /** The end of the line, which may hold the id, may never come. */
  function receiveHead(head: string): void {
    const id = findAnswerId({ head, tail: "" });
    if (id === null) onOversized();
    else fail(new ServerFault("too_large", `its answer is over the limit of ${maxMessageBytes} bytes`), id);
  }

  function fail(fault: ServerFault, id: RequestId | null): void {
    for (const answer of pending.fail(fault, id)) transport.onmessage?.(answer);
  }

  async function pump(): Promise<void> {
    try {
      for await (const line of readLines(server.stdout, maxMessageBytes, receiveHead)) await receive(line);
    } catch (error) {
      if (error instanceof Error) transport.onerror?.(error);
    }
  }

  async function close(): Promise<void> {
    await server.stop();
    transport.onclose?.();
  }

  const transport: Transport = {
    async start() {
      const ended = server.exited.then(() => delay(drainMs, undefined, { ref: false }));
      void Promise.race([pump(), ended]).then(() => transport.close());
    },
    send(message) {
      pending.sent(message);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      server.stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        if (!error) return resolve();
        reject(error);
        // It cannot hear any more.
        void transport.close();
      });
      return promise;
    },
    close: () => (closing ??= close()),
  };
  return transport;
}

/** Throws `ServerFault` `invalid_answer`. */
function parseMessage(value: unknown): JSONRPCMessage {
  checkDepth(value);
  try {
    return parseJSONRPCMessage(value);
  } catch (error) {
    throw new ServerFault("invalid_answer", "its answer is no JSON-RPC response", { cause: error });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Null where it cannot be told. `id` is the second or the last member of an answer that was written by any usual library. */
function findAnswerId({ head, tail }: { readonly head: string; readonly tail: string }): RequestId | null {
  const match =
    /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d+)\s*,/.exec(head) ?? /"id"\s*:\s*(\d+)\s*\}\s*$/.exec(tail);
  return match?.[1] === undefined ? null : Number(match[1]);
}
