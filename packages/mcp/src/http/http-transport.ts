import { setTimeout as delay } from "node:timers/promises";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { JSONRPCRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createAuthorizedFetch } from "../oauth/authorized-fetch.ts";
import type { McpTokenStore } from "../oauth/token-store.ts";
import type { McpHttpServerOptions } from "../server-options.ts";
import type { PendingAnswers } from "../session/pending-answers.ts";
import { checkDepth } from "../session/check-depth.ts";
import { ServerFault } from "../session/server-fault.ts";
import { resolveHeaders } from "./resolve-headers.ts";
import { watchBody } from "./watch-body.ts";

export interface HttpTransportOptions {
  readonly pending: PendingAnswers;
  readonly maxMessageBytes: number;
  readonly tokens: McpTokenStore;
}

/** How long a server may take to agree to the end of a session, in ms. */
const GOODBYE_MS = 500;

/**
 * MCP over streamable HTTP: the SDK's transport with bounded messages, and with one gap closed: where the stream of an
 * answer breaks, the SDK leaves the request without one for ever.
 */
export function createHttpTransport(
  server: McpHttpServerOptions,
  { pending, maxMessageBytes, tokens }: HttpTransportOptions,
): StreamableHTTPClientTransport {
  const headers = resolveHeaders(server);
  const send: FetchLike = headers.has("authorization") ? fetch : createAuthorizedFetch(server, tokens);

  const watchedFetch: FetchLike = async (url, init) => {
    const request = JSONRPCRequestSchema.safeParse(parseBody(init?.body)).data;
    if (request === undefined) return watchBody(await send(url, init), { maxMessageBytes, onEnd: () => {} });

    pending.sent(request);
    const fail = (fault: ServerFault): void => {
      for (const answer of pending.fail(fault, request.id)) transport.onmessage?.(answer);
    };
    return watchBody(await send(url, init), {
      maxMessageBytes,
      onEnd({ fault, isResumable }) {
        if (fault !== null) fail(fault);
        // The SDK takes no turn of the event loop to read what came before the end.
        else if (!isResumable)
          setImmediate(fail, new ServerFault("unreachable", "it ended the connection without an answer"));
      },
    });
  };

  const transport = new StreamableHTTPClientTransport(new URL(server.url.reveal()), {
    requestInit: { headers },
    fetch: watchedFetch,
  });
  transport.onmessage = (message) => {
    checkDepth(message);
    pending.received(message);
  };
  return transport;
}

/** Tells the server that its session is over. Never throws; a server that does not answer is not waited for. */
export async function endHttpSession(transport: StreamableHTTPClientTransport): Promise<void> {
  const waited = new AbortController();
  const goodbye = transport.terminateSession().catch(() => {});
  await Promise.race([goodbye, delay(GOODBYE_MS, undefined, { signal: waited.signal }).catch(() => {})]);
  waited.abort();
}

function parseBody(body: unknown): unknown {
  return typeof body === "string" ? JSON.parse(body) : undefined;
}
