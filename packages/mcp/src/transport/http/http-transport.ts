import { setTimeout as delay } from "node:timers/promises";
import {
  type FetchLike,
  isJSONRPCRequest,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { Clock } from "@unroll/flow";
import { ServerFault } from "../../fault/server-fault.ts";
import { createAuthorizedFetch } from "../../oauth/authorized-fetch.ts";
import { openFetch, type ProxyEnv } from "../../oauth/open-fetch.ts";
import { toRequestHeaders } from "../../oauth/request-headers.ts";
import type { McpTokenStore } from "../../oauth/token-store.ts";
import type { ResolvedService } from "../../settings/resolved-server.ts";
import { checkDepth } from "../check-depth.ts";
import { createNoticeGate } from "../notice-gate.ts";
import type { PendingAnswers } from "../pending-answers.ts";
import { watchBody } from "./watch-body.ts";

export interface HttpTransportOptions extends Pick<Clock, "sleep"> {
  /** Fires when the connection is closed. */
  readonly signal: AbortSignal;
  readonly pending: PendingAnswers;
  readonly maxMessageBytes: number;
  readonly tokens: McpTokenStore;
  /** Absent: no proxy. */
  readonly proxyEnv?: ProxyEnv | undefined;
}

/**
 * MCP over streamable HTTP: the SDK's transport with bounded messages. It also fixes one gap: if
 * the stream of a response breaks, the SDK never settles the request.
 */
export function createHttpTransport(
  server: ResolvedService,
  { pending, maxMessageBytes, tokens, proxyEnv, sleep, signal }: HttpTransportOptions,
): StreamableHTTPClientTransport {
  const headers = toRequestHeaders(server);
  const ask = openFetch(proxyEnv);
  const send: FetchLike = headers.has("authorization")
    ? ask
    : createAuthorizedFetch(server, { tokens, proxyEnv, send: ask });

  const watchedFetch: FetchLike = async (url, init) => {
    const request = parseBody(init?.body);
    if (!isJSONRPCRequest(request)) return watchBody(await send(url, init), { maxMessageBytes, onEnd: () => {} });

    pending.sent(request);
    const fail = (fault: ServerFault): void => {
      for (const answer of pending.fail(fault, request.id)) transport.onmessage?.(answer);
    };
    return watchBody(await send(url, init), {
      maxMessageBytes,
      onEnd({ fault, isResumable }) {
        if (fault !== null) fail(fault);
        // The SDK reads what came before the end without another turn of the event loop.
        else if (!isResumable)
          setImmediate(fail, new ServerFault("unreachable", "it ended the connection without an answer"));
      },
    });
  };

  const transport = new StreamableHTTPClientTransport(new URL(server.url.reveal()), {
    requestInit: { headers },
    fetch: watchedFetch,
  });
  const gate = createNoticeGate<JSONRPCMessage>({
    sleep,
    signal,
    deliver: (message) => transport.onmessage?.(message),
  });
  transport.onmessage = (message) => {
    checkDepth(message);
    if (!gate.passes(message)) throw new ServerFault("invalid_answer", "it sends too many notices"); // the SDK drops it
    pending.received(message);
  };
  return transport;
}

/** Tells the server that we leave. Never throws, and waits at most `limitMs`. */
export async function sayGoodbye(transport: StreamableHTTPClientTransport, limitMs: number): Promise<void> {
  const waited = new AbortController();
  const goodbye = transport.terminateSession().catch(() => {});
  await Promise.race([goodbye, delay(limitMs, undefined, { signal: waited.signal }).catch(() => {})]);
  waited.abort();
}

function parseBody(body: unknown): unknown {
  return typeof body === "string" ? JSON.parse(body) : undefined;
}
