import { setTimeout as delay } from "node:timers/promises";
import { type JSONRPCMessage, parseJSONRPCMessage, type RequestId, type Transport } from "@modelcontextprotocol/client";
import type { Clock } from "@unroll/flow";
import * as z from "zod";
import { ServerFault } from "../../fault/server-fault.ts";
import { checkDepth } from "../check-depth.ts";
import { createNoticeGate } from "../notice-gate.ts";
import type { PendingAnswers } from "../pending-answers.ts";
import { type Line, readLines } from "@unroll/text";
import type { ServerProcess } from "./server-process.ts";

export interface StdioTransportOptions extends Pick<Clock, "sleep"> {
  /** Fires when the connection is closed. */
  readonly signal: AbortSignal;
  readonly pending: PendingAnswers;
  /** In bytes: how long a message may be; a longer one is never held whole. */
  readonly maxMessageBytes: number;
  /** Receives each line that is not a message; the next one is read when this resolves. */
  readonly onGarbage: (line: string) => Promise<void>;
  /** Called while a longer message arrives whose request is not known yet. */
  readonly onOversized: () => void;
  /** In ms: how long the rest of a server's output may take after its end. */
  readonly drainMs: number;
}

const answerSchema = z.looseObject({ id: z.number(), method: z.never().optional() });

/** MCP over stdin and stdout: one JSON-RPC message per line. Closes when the server ends. */
export function createStdioTransport(server: ServerProcess, options: StdioTransportOptions): Transport {
  const { pending, maxMessageBytes, onGarbage, onOversized, drainMs, sleep, signal } = options;
  const gate = createNoticeGate({ sleep, signal, deliver: (value) => accept(value) });
  let closing: Promise<void> | null = null;

  async function receive(line: Line): Promise<void> {
    if (line.type === "oversized") {
      const text = `its answer of ${line.bytes} bytes is over the limit of ${maxMessageBytes}`;
      return fail(new ServerFault("too_large", text), findAnswerId(line));
    }
    if (line.text.trim() === "") return;
    const value = parseJson(line.text);
    if (!gate.passes(value)) return;
    try {
      accept(value);
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error;
      await onGarbage(line.text);
      const answer = answerSchema.safeParse(value);
      if (answer.success) fail(error, answer.data.id);
    }
  }

  /** Throws `ServerFault` `invalid_answer`. */
  function accept(value: unknown): void {
    const message = parseMessage(value);
    pending.received(message);
    transport.onmessage?.(message);
  }

  /** The end of the line, which may hold the id, may never arrive. */
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
      report(error);
    }
  }

  /** The caller that closes the connection gets the same error. */
  function report(error: unknown): void {
    if (error instanceof Error) transport.onerror?.(error);
  }

  async function close(): Promise<void> {
    await server.stop();
    transport.onclose?.();
  }

  const transport: Transport = {
    async start() {
      const ended = server.exited.then(() => delay(drainMs, undefined, { ref: false }));
      Promise.race([pump(), ended])
        .then(() => transport.close())
        .catch(report);
    },
    send(message) {
      pending.sent(message);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      server.stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        if (!error) return resolve();
        reject(error);
        // It can no longer receive anything.
        transport.close().catch(report);
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
    // structure-ignore idioms: the model gets it as the output of a call
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

/** Null: unknown. `id` is the second or the last member in responses of all usual libraries. */
function findAnswerId({ head, tail }: { readonly head: string; readonly tail: string }): RequestId | null {
  const match =
    /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d+)\s*,/.exec(head) ?? /"id"\s*:\s*(\d+)\s*\}\s*$/.exec(tail);
  return match?.[1] === undefined ? null : Number(match[1]);
}
