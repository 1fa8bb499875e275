import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import { type Answer, planError, encodeChunk, isEvent } from "../answer/plan-answer.ts";
import { pause } from "../answer/send-answer.ts";
import { isJsonObject, type JsonObject, parseJson } from "../json.ts";
import type { ModelService } from "./model-service.ts";

/** The parts of a connection. */
interface SocketConnection {
  readonly webSocket: WebSocket;
  /** Below it. */
  readonly socket: Socket;
  /** The headers of the request that opened it. */
  readonly headers: IncomingHttpHeaders;
}

/** A response that the next request may continue, with everything before it. */
interface Chain {
  readonly responseId: string;
  readonly items: readonly unknown[];
}

/**
 * Serves the Responses API on one WebSocket: each message `response.create` is answered with the events of a response,
 * or with an `error`; one after the other. The last response is remembered until the connection closes or a request
 * that continues it fails: `previous_response_id` can name nothing else. A request with `generate: false` does not
 * reach the model: its response is empty, and the next request may continue it.
 */
export function serveResponseSocket(
  connection: SocketConnection,
  service: Pick<ModelService, "respond" | "warmUp">,
): void {
  const { webSocket, headers } = connection;
  const closed = new AbortController();
  let chain: Chain | null = null;
  let queue = Promise.resolve();

  const answer = async (data: Buffer) => {
    const request = readCreate(data, chain);
    const bytes = Buffer.from(JSON.stringify(request.body));
    const { previousResponseId } = request;
    const reply = request.generates
      ? (request.refusal ?? (await service.respond({ headers, bytes, previousResponseId })))
      : service.warmUp(request.body, previousResponseId);
    chain = nextChain(request.body["input"], reply) ?? (previousResponseId === null ? chain : null);
    await sendMessages(connection, reply, closed.signal);
  };
  webSocket.on("error", () => webSocket.terminate());
  webSocket.on("close", () => closed.abort());
  webSocket.on("message", (data: Buffer) => {
    queue = queue
      .then(() => answer(data))
      .catch((error: unknown) => {
        if (!closed.signal.aborted) throw error;
      });
  });
}

interface CreateRequest {
  /** As it would be posted: streamed, with the whole input. */
  readonly body: JsonObject;
  readonly previousResponseId: string | null;
  /** False: it only prepares the next request, which continues an empty response. */
  readonly generates: boolean;
  /** The answer if the request is refused without reaching the model; else null. */
  readonly refusal: Answer | null;
}

function readCreate(data: Buffer, chain: Chain | null): CreateRequest {
  const { type, previous_response_id: previousId, input, generate, ...fields } = parseMessage(data);
  const body = { ...fields, stream: true, input: toItems(input) };
  if (type !== "response.create") {
    const refusal = planError(
      "unknown_event",
      `A message of the type ${String(type)} is not known: response.create is.`,
    );
    return { body, previousResponseId: null, generates: true, refusal };
  }
  const isAsked = { generates: generate !== false, refusal: null };
  if (typeof previousId !== "string") return { body, previousResponseId: null, ...isAsked };
  if (chain?.responseId !== previousId) {
    const message = `The response ${previousId} is not that of the last request on this connection.`;
    const refusal = planError("previous_response_not_found", message);
    return { body, previousResponseId: null, generates: true, refusal };
  }
  const whole = { ...body, input: [...chain.items, ...toItems(input)] };
  return { body: whole, previousResponseId: previousId, ...isAsked };
}

function parseMessage(data: Buffer): JsonObject {
  try {
    const message = parseJson(data.toString("utf8"));
    return isJsonObject(message) ? message : {};
  } catch {
    return {};
  }
}

/** Text stands for one message of the person. */
function toItems(input: unknown): readonly unknown[] {
  if (Array.isArray(input)) return input;
  return input === undefined ? [] : [{ type: "message", role: "user", content: input }];
}

/** Null: no request can continue this answer. */
function nextChain(input: unknown, { chunks, ending }: Answer): Chain | null {
  const terminal = ending === "whole" ? chunks.at(-1) : null;
  if (!isJsonObject(terminal) || terminal["type"] !== "response.completed") return null;
  const response = terminal["response"];
  if (!isJsonObject(response)) return null;
  return { responseId: String(response["id"]), items: [...toItems(input), ...toItems(response["output"])] };
}

async function sendMessages(
  { webSocket, socket }: SocketConnection,
  answer: Answer,
  closed: AbortSignal,
): Promise<void> {
  await pause(answer.delayMs, closed);
  for (const [index, message] of encodeMessages(answer).entries()) {
    if (index > 0) await pause(answer.chunkDelayMs, closed);
    await new Promise<void>((resolve) => webSocket.send(message, () => resolve()));
  }
  switch (answer.ending) {
    case "whole":
    case "hang":
      return;
    case "end":
      webSocket.close(1000);
      return;
    case "close":
      socket.destroySoon();
      return;
    case "reset":
      socket.resetAndDestroy();
  }
}

/**
 * An answer as messages of a WebSocket, one for each event. An answer that is not an event stream becomes one `error`
 * with its status and headers.
 */
function encodeMessages({ status, headers, chunks }: Answer): readonly (string | Uint8Array)[] {
  if (status < 300) return chunks.map((chunk) => (isEvent(chunk) ? JSON.stringify(chunk) : chunk));
  return [JSON.stringify({ type: "error", status, headers, error: readError(chunks) })];
}

function readError(chunks: Answer["chunks"]): unknown {
  try {
    const body = parseJson(chunks.map((chunk) => Buffer.from(encodeChunk(chunk)).toString("utf8")).join(""));
    return isJsonObject(body) ? body["error"] : null;
  } catch {
    return null;
  }
}
