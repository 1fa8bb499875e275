import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { WebSocketServer } from "ws";
import type { ModelService } from "./model-service.ts";
import { serveResponseSocket } from "./response-socket.ts";

/** Takes over the connections that clients want to go on as WebSockets. */
export class SocketUpgrades {
  readonly #service: ModelService;
  /** Loaded for the first client that asks for it. */
  #server: Promise<WebSocketServer> | null = null;

  constructor(service: ModelService) {
    this.#service = service;
  }

  async upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    socket.on("error", () => socket.destroy());
    if (!this.#service.takesSockets || !/\/responses(?:[?#]|$)/.test(request.url ?? "")) {
      socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    const server = await (this.#server ??= createServer());
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = { webSocket, socket, headers: request.headers };
      serveResponseSocket(connection, this.#service);
    });
  }

  /** Ends every connection at once. */
  async close(): Promise<void> {
    for (const client of (await this.#server)?.clients ?? []) client.terminate();
  }
}

async function createServer(): Promise<WebSocketServer> {
  const { WebSocketServer: Server } = await import("ws");
  return new Server({ noServer: true });
}
