import type { IncomingMessage } from "node:http";
import { findProxy } from "@unroll/text";

export interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | null | undefined;
  readonly signal: AbortSignal;
}

/** Node's own message. Its chunks are those of the body, which streams. */
export type HttpAnswer = Pick<IncomingMessage, "statusCode" | "headers" | "resume"> &
  AsyncIterable<Uint8Array<ArrayBuffer>>;

/** `https_proxy`, `http_proxy` and `no_proxy`, in either case, are read from it. */
type ProxyEnv = Readonly<Record<string, string | undefined>>;

/**
 * Sends one request through the same proxies as requests to models, and follows no redirect. Uses
 * node:https, as they do (decision 4). Rejects with system errors, and with an `Error` for a proxy setting that cannot be
 * used. Most callers need no `Response`: the first one of a process loads undici, which takes 4 MiB and 30 ms of CPU time.
 */
export async function sendHttp(url: URL, request: HttpRequest, proxyEnv: ProxyEnv): Promise<HttpAnswer> {
  const { Agent, request: open } = url.protocol === "http:" ? await import("node:http") : await import("node:https");
  const { method, signal, body } = request;
  const length = body ? { "content-length": String(Buffer.byteLength(body)) } : {};
  const proxy = findProxy(url, proxyEnv);
  if (proxy?.host === null)
    throw new Error(`the proxy in ${proxy.variable} cannot be used; write it as http://HOST:PORT`);
  const agent = new Agent(proxy === null ? {} : { proxyEnv: { ...proxyEnv } }); // no keep-alive: there is rarely a second request
  return new Promise<IncomingMessage>((resolve, reject) => {
    open(url, { method, headers: { ...request.headers, ...length }, agent, signal }, resolve)
      .on("error", reject)
      .end(body ?? "");
  });
}
