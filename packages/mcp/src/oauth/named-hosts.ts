import type { FetchLike } from "@modelcontextprotocol/client";
import { ServerFault } from "../fault/server-fault.ts";
import { openFetch, type ProxyEnv } from "./open-fetch.ts";
import { findLocalAddress, resolveBySystem, type ResolveHost } from "./local-address.ts";

export interface NamedHostsOptions {
  /** The server's own address, which the user chose. */
  readonly address: string;
  /** Aborts every request. Absent: a request has its own signal, or none. */
  readonly signal?: AbortSignal;
  readonly onHost?: (host: string) => void;
  readonly resolveHost?: ResolveHost;
  /** Absent: no proxy. */
  readonly proxyEnv?: ProxyEnv | undefined;
}

/** The hosts that a server names for logins and tokens. Nobody else chose them. */
export interface NamedHosts {
  /** Throws `ServerFault` `refused`; after the first refusal, for every request. */
  readonly fetch: FetchLike;
  /** Throws the same for an address that must not be used. */
  readonly check: (url: URL) => Promise<void>;
}

const maxRedirects = 5;

/**
 * A server can name any address, including one that only this machine can reach. So requests to
 * other hosts than the server's own go over https. They go to a local address only if the server
 * itself is at one, and then also over http. The name is resolved again for the request itself: a
 * public name that then leads to a local address has no certificate there.
 */
export function createNamedHosts(options: NamedHostsOptions): NamedHosts {
  const { signal, onHost = () => {}, resolveHost = resolveBySystem } = options;
  const ask = openFetch(options.proxyEnv);
  const server = new URL(options.address);
  const asked = new Set([server.host]);
  let refusal: ServerFault | null = null;

  function refuse(url: URL, reason: string): never {
    refusal = new ServerFault("refused", `it names ${url.host} for its login, ${reason}: it was not asked`);
    throw refusal;
  }

  async function check(url: URL): Promise<void> {
    if (refusal !== null) throw refusal;
    if (url.origin === server.origin) return;
    const local = await findLocalAddress(url, resolveHost);
    if (local !== null && (await findLocalAddress(server, resolveHost)) === null)
      refuse(url, `which is at the local address ${local} although the server is not`);
    if (url.protocol !== "https:" && (url.protocol !== "http:" || local === null)) refuse(url, "but not over https");
    if (!asked.has(url.host)) onHost(url.host);
    asked.add(url.host);
  }

  /** Redirects are checked one by one; a request body is never passed on. */
  async function send(target: URL, init: RequestInit): Promise<Response> {
    let url = target;
    for (let redirects = 0; ; redirects += 1) {
      await check(url);
      const response = await ask(url, { ...init, redirect: "manual" });
      const next = (init.method ?? "GET") === "GET" ? toRedirect(response, url) : null;
      if (next === null || redirects === maxRedirects) return response;
      await response.body?.cancel();
      url = next;
    }
  }

  return {
    check,
    fetch: (url, init) => send(new URL(url), { ...init, ...(signal && { signal }) }),
  };
}

function toRedirect({ status, headers }: Response, from: URL): URL | null {
  const location = headers.get("location");
  return location !== null && [301, 302, 303, 307, 308].includes(status) ? URL.parse(location, from.href) : null;
}
