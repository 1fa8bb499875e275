import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { findProxy } from "@unroll/text";

export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | null | undefined;
  readonly signal: AbortSignal;
}

/** `https_proxy`, `http_proxy` and `no_proxy`, in either case, are read from it. */
type ProxyEnv = Readonly<Record<string, string | undefined>>;

/**
 * Sends one request through the same proxies as requests to models, and follows no redirect. Uses
 * node:https, as they do (decision 4). The body streams. Rejects with
 * system errors, and with an `Error` for a proxy setting that cannot be used.
 */
export async function sendHttp(url: URL, request: HttpRequest, proxyEnv: ProxyEnv): Promise<Response> {
  const { Agent, request: open } = url.protocol === "http:" ? await import("node:http") : await import("node:https");
  const { method, signal, body } = request;
  const length = body ? { "content-length": String(Buffer.byteLength(body)) } : {};
  const proxy = findProxy(url, proxyEnv);
  if (proxy?.host === null)
    throw new Error(`the proxy in ${proxy.variable} cannot be used; write it as http://HOST:PORT`);
  const agent = new Agent(proxy === null ? {} : { proxyEnv: { ...proxyEnv } }); // no keep-alive: there is rarely a second request
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    open(url, { method, headers: { ...request.headers, ...length }, agent, signal }, resolve)
      .on("error", reject)
      .end(body ?? "");
  });
  return toResponse(message);
}

function toResponse(message: IncomingMessage): Response {
  const status = message.statusCode ?? 0;
  const headers = Object.entries(message.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  if ([204, 205, 304].includes(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  return new Response(ReadableStream.from<Uint8Array>(Readable.from(message)), { status, headers });
}
