import { once } from "node:events";
import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";

interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How the server treats one request. */
export type Answer = (response: ServerResponse) => void;

export interface FaultServer extends AsyncDisposable {
  readonly origin: string;
  readonly requests: readonly ReceivedRequest[];
  /** Sockets accepted so far. */
  readonly accepted: number;
  /** Resolves when no socket is open any more. */
  allClosed(): Promise<void>;
}

/** Answers the first request with the first of `answers` and so on, the last one from then on. */
export async function startFaultServer(
  answers: readonly Answer[],
  tls?: { readonly key: string; readonly cert: string },
): Promise<FaultServer> {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = tls ? createHttpsServer(tls) : createHttpServer();
  server.keepAliveTimeout = 60_000;
  server.on("connection", (socket: Socket) => {
    accepted++;
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  server.on("request", (request, response) => {
    const { method = "", url = "", headers } = request;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const answer = answers[Math.min(requests.length, answers.length - 1)];
      requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      answer?.(response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get accepted() {
      return accepted;
    },
    async allClosed() {
      for (const socket of sockets) await new Promise((resolve) => socket.once("close", resolve));
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, "close");
    },
  };
}

type WireEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** Events as SSE; text goes in as it stands. */
export function toSse(events: readonly (WireEvent | string)[]): string {
  return events
    .map((event) => (typeof event === "string" ? event : `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`))
    .join("");
}

/** A stream that ends. */
export function stream(...events: readonly (WireEvent | string)[]): Answer {
  return (response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(toSse(events));
}

/** A stream that nobody ends. */
export function openStream(...events: readonly (WireEvent | string)[]): Answer {
  return (response) => response.writeHead(200, { "content-type": "text/event-stream" }).write(toSse(events));
}

/** A stream whose connection breaks after these events. */
export function cutStream(...events: readonly (WireEvent | string)[]): Answer {
  return (response) => {
    openStream(...events)(response);
    response.write("", () => setImmediate(() => response.destroy()));
  };
}

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** The connection is closed before an answer. */
export const hangUp: Answer = (response) => response.destroy();

export const neverAnswer: Answer = () => {};

/** Bytes in place of an HTTP answer. */
export function garbage(text: string): Answer {
  return (response) => response.socket?.end(text);
}

export const created: WireEvent = { type: "response.created", response: { id: "resp_1" } };
export const completed: WireEvent = { type: "response.completed", response: { id: "resp_1", usage: null } };

export function delta(text: string): WireEvent {
  return { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, delta: text };
}

/** The end of a message that came only as deltas. */
export function whole(text: string): WireEvent {
  const item = { id: "msg_1", type: "message", role: "assistant", content: [{ type: "output_text", text }] };
  return { type: "response.output_item.done", output_index: 0, item };
}

export function failed(code: string, message: string): WireEvent {
  return { type: "response.failed", response: { id: "resp_1", error: { code, message } } };
}
