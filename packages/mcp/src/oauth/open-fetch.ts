import type { FetchLike } from "@modelcontextprotocol/client";
import { sendHttp, toResponse } from "@unroll/auth";

/** `https_proxy`, `http_proxy` and `no_proxy`, in either case, are read from it. */
export type ProxyEnv = Readonly<Record<string, string | undefined>>;

/**
 * A fetch through the proxies of the environment, like requests to models, without following
 * redirects. Without proxies it is the plain fetch.
 */
export function openFetch(proxyEnv: ProxyEnv | undefined): FetchLike {
  if (proxyEnv === undefined || !namesProxy(proxyEnv)) return fetch;
  return async (url, { method = "GET", headers, body, signal } = {}) => {
    const request = {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body: body instanceof URLSearchParams ? body.toString() : typeof body === "string" ? body : null,
      signal: signal ?? new AbortController().signal,
    };
    if (body instanceof URLSearchParams) request.headers["content-type"] ??= formType;
    return toResponse(await sendHttp(new URL(url), request, proxyEnv));
  };
}

const formType = "application/x-www-form-urlencoded;charset=UTF-8";

function namesProxy(env: ProxyEnv): boolean {
  return ["http_proxy", "https_proxy"].some((name) => Boolean(env[name]?.trim() || env[name.toUpperCase()]?.trim()));
}
