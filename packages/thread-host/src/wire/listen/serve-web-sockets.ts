import { timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { ProgramError } from "@unroll/program";
import { describeSystemError } from "@unroll/text";
import { createWebSocketStream, type WebSocket, WebSocketServer } from "ws";
import type { ClientConnection } from "../client/client-connection.ts";
import { maxLineBytes } from "../read-client-lines.ts";
import type { Listening } from "./listening.ts";

/** How long a client may take nothing while others wait, in ms. */
const patienceMs = 10_000;

interface Place {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
}

/**
 * One message a text frame. A client shows the token that is written to stderr when the server starts
 * (`Authorization: Bearer …`): any page in a browser of this machine could connect else.
 */
export async function serveWebSockets(
  { host, port }: Place,
  { serve, io, signal, tokenVariable }: Listening,
): Promise<void> {
  const token = io.env[tokenVariable] || io.newId(); // an empty one would let everybody in
  const http = createServer((_, response) => response.writeHead(426).end());
  const server = new WebSocketServer({ noServer: true, maxPayload: maxLineBytes });
  const clients = new Set<Promise<void>>();
  http.on("upgrade", (request, socket, head) => {
    if (!isAllowed(request, token)) {
      socket.end("HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    server.handleUpgrade(request, socket, head, (client) => {
      const serving = serve(toLink(client)).finally(() => {
        clients.delete(serving);
        client.close();
      });
      clients.add(serving);
    });
  });
  try {
    http.listen(port, host);
    await once(http, "listening");
  } catch (error) {
    throw new ProgramError("input", `--listen ws://${host}:${port}: ${describeSystemError(error)}.`, { cause: error });
  }
  io.stderr.stream.write(`unroll: listening on ws://${describeAddress(http.address())}, token ${token}\n`);
  if (!signal.aborted) await once(signal, "abort");
  for (const client of server.clients) client.terminate();
  http.close();
  http.closeAllConnections();
  await Promise.all(clients);
}

function toLink(client: WebSocket): ClientConnection {
  const stream = createWebSocketStream(client, { readableObjectMode: true, decodeStrings: false, encoding: "utf8" });
  stream.on("error", () => {}); // told by the end of its input
  return { input: addLineEnds(stream), output: stream, isFramed: true, patienceMs, close: () => client.terminate() };
}

/** Each frame is a line. */
async function* addLineEnds(frames: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const frame of frames) yield `${frame}\n`;
}

function isAllowed({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization?.replace(/^Bearer /, "") ?? "");
  const wanted = Buffer.from(token);
  return headers.origin === undefined && given.length === wanted.length && timingSafeEqual(given, wanted);
}

function describeAddress(address: AddressInfo | string | null): string {
  if (address === null || typeof address === "string") return address ?? "";
  return `${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
}
