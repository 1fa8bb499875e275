import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createWebSocketStream, type WebSocket, WebSocketServer } from "ws";
import type { ClientConnection } from "../client/client-connection.ts";
import { maxLineBytes } from "../read-client-lines.ts";
import { type ClientToken, hasToken } from "./client-token.ts";
import { type Listening, patienceMs } from "./listening.ts";

/** HTTP of a server: connections that become WebSockets are clients. */
export interface HttpServer {
  readonly http: Server;
  /** Disconnects all, and waits for the end of their service. */
  close(): Promise<void>;
}

/**
 * One message a text frame. `token` null: every connection is accepted. A request with an `Origin` is refused, because any page in a
 * browser of this machine could send it. `/readyz` and `/healthz` answer probes.
 */
export function openWebSocketServer({ serve }: Pick<Listening, "serve">, token: ClientToken | null): HttpServer {
  const http = createServer(answerProbe);
  const server = new WebSocketServer({ noServer: true, maxPayload: maxLineBytes });
  const clients = new Set<Promise<void>>();
  http.on("upgrade", (request, socket, head) => {
    const refusal = findRefusal(request, token);
    if (refusal !== null) {
      socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
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
  return {
    http,
    async close() {
      for (const client of server.clients) client.terminate();
      http.close();
      http.closeAllConnections();
      await Promise.all(clients);
    },
  };
}

/** Answers a request that does not ask for a WebSocket. */
function answerProbe({ headers, method, url }: IncomingMessage, response: ServerResponse): void {
  const isProbe = url === "/readyz" || url === "/healthz";
  if (headers.origin !== undefined) response.writeHead(403).end();
  else if (!isProbe) response.writeHead(400).end("Only WebSockets, /readyz and /healthz are served here.\n");
  else if (method === "GET" || method === "HEAD") response.writeHead(200).end();
  else response.writeHead(405, { allow: "GET,HEAD" }).end();
}

function findRefusal({ headers }: IncomingMessage, token: ClientToken | null): string | null {
  if (headers.origin !== undefined) return "403 Forbidden";
  return token === null || hasToken(headers.authorization, token) ? null : "401 Unauthorized";
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
