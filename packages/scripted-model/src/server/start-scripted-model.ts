import { AssertionError } from "node:assert";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import { describeSystemError } from "@unroll/text";
import type { WebSocketServer } from "ws";
import type { Violation } from "../check/checks.ts";
import type { CapturedRequest } from "../request/captured-request.ts";
import { ScriptedModelError } from "../scripted-model-error.ts";
import { planServing, type ScriptedModelOptions } from "./model-options.ts";
import { ModelService } from "./model-service.ts";
import { serveResponseSocket } from "./response-socket.ts";

/** A running server. The lists grow as requests come. */
export interface ScriptedModel extends AsyncDisposable {
  /** The base URL of the API, `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  /** Every `POST /responses`, also those that were refused. */
  readonly requests: readonly CapturedRequest[];
  /** Every `POST /responses/compact`. */
  readonly compactions: readonly CapturedRequest[];
  readonly violations: readonly Violation[];
  /**
   * Destroys every connection at once and stops. Throws AssertionError when a request broke a law, unless violations
   * are allowed. Further calls give the same promise.
   */
  close(): Promise<void>;
}

/**
 * Starts a Responses API server on loopback. Throws ScriptedModelError `listen_failed` if the port is not available.
 */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const service = new ModelService(planServing(options));
  const upgrades = new SocketUpgrades(service);
  const server = createServer((request, response) => void service.serve(request, response));
  server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    upgrades.upgrade(request, socket, head).catch(() => socket.destroy());
  });
  const port = await listen(server, options.port ?? 0);
  let closing: Promise<void> | undefined;
  const shutDown = async () => {
    await upgrades.close();
    await stop(server);
    if (!options.allowViolations) assertNone(service.violations);
  };
  const close = () => (closing ??= shutDown());
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests: service.responses.requests,
    compactions: service.compactions.requests,
    violations: service.violations,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  } catch (cause) {
    const message = `Port ${port} on 127.0.0.1 cannot be used: ${describeSystemError(cause)}. Name another one, or none for a free one.`;
    throw new ScriptedModelError("listen_failed", message, { cause });
  }
  const address = server.address();
  return typeof address === "object" && address ? address.port : port;
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

function assertNone(violations: readonly Violation[]): void {
  if (violations.length === 0) return;
  const lines = violations.map(({ rule, request, message }) => `  request ${request}, ${rule}: ${message}`);
  throw new AssertionError({ message: `Requests broke the laws of the model's server:\n${lines.join("\n")}` });
}

/** Upgrades connections to WebSockets for clients that ask for it. */
class SocketUpgrades {
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
    const server = await (this.#server ??= createSocketServer());
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

async function createSocketServer(): Promise<WebSocketServer> {
  const { WebSocketServer: Server } = await import("ws");
  return new Server({ noServer: true });
}
