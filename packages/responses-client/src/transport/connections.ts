import type http from "node:http";
import type { Agent, ClientRequest, RequestOptions } from "node:http";
import type https from "node:https";
import { createRequire } from "node:module";
import type { Duplex } from "node:stream";
import { findProxy, type ProxySetting } from "@unroll/text";
import { createProxySettingsFailure } from "../failure/network-failure.ts";

export interface ConnectionOptions {
  /** `https_proxy`, `http_proxy` and `no_proxy`, in either case, are read from it. Absent: no proxy. */
  readonly proxyEnv?: Readonly<Record<string, string | undefined>> | undefined;
  /** Certificates in PEM, trusted besides those that Node trusts. */
  readonly ca?: readonly string[] | undefined;
  /**
   * Opens the sockets of `http:` addresses, instead of `node:net` and past any proxy. Absent: not
   * replaced.
   */
  readonly connect?: (() => Duplex) | undefined;
}

/** Begins the requests to one server. */
export interface Connector {
  /** Null: none is used. */
  readonly proxy: ProxySetting | null;
  /** `onSocket` is given the socket that it opens, if any, before a proxy or TLS is through. */
  begin(url: URL, options: RequestOptions, onSocket: (socket: Duplex) => void): ClientRequest;
}

/** The sockets of one client, kept alive between its requests. */
export interface Connections {
  /** Loads what requests to the server of the first `url` need, once. Throws a `RequestFailure` for proxy settings that are not valid. */
  load(url: URL): Promise<Connector>;
  /** Destroys every socket, busy ones too. */
  close(): void;
}

// For a response that nobody reads yet: one read, however small. The kernel keeps the rest, where
// it costs one read instead of one per packet.
const heldBytes = 1;
// A socket that sat idle longer may have been dropped on its way without a word: a request on it would hang.
const longestIdleMs = 30_000;

export function createConnections(options: ConnectionOptions): Connections {
  const open = new Set<Duplex>();
  let loaded: Promise<Connector> | undefined;
  return {
    load: (url) => (loaded ??= load(url, options, open)),
    close() {
      for (const socket of open) socket.destroy();
    },
  };
}

async function load(server: URL, options: ConnectionOptions, open: Set<Duplex>): Promise<Connector> {
  const { protocol } = server;
  const { Agent, request } = loadHttp(protocol);
  const { proxyEnv = {} } = options;
  const connect = protocol === "http:" ? options.connect : undefined;
  const proxy = connect === undefined ? findProxy(server, proxyEnv) : null;
  if (proxy?.host === null) throw createProxySettingsFailure(proxy.variable);
  const agentOptions = {
    keepAlive: true,
    timeout: longestIdleMs,
    highWaterMark: heldBytes,
    ...(proxy && { proxyEnv: { ...proxyEnv } }),
    ...(options.ca && { ca: await besidesDefaults(options.ca) }),
  };
  const agent = new Agent(agentOptions);
  if (connect !== undefined) agent.createConnection = () => connect();
  let onNextSocket: (socket: Duplex) => void = () => {};
  watchSockets(agent, (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    onNextSocket(socket);
  });
  return {
    proxy,
    begin(url, requestOptions, onSocket) {
      onNextSocket = onSocket;
      try {
        return request(url, { ...requestOptions, agent }); // makes its socket, if it needs one, before it returns
      } finally {
        onNextSocket = () => {};
      }
    },
  };
}

/**
 * A local server needs no TLS. Required, not imported: an import looks at every export of `node:http`, some of which load
 * Node's fetch when they are looked at: 16 ms and 11 MB for nothing.
 */
function loadHttp(protocol: string): typeof http | typeof https {
  const require: <Id extends "node:http" | "node:https">(
    id: Id,
  ) => Id extends "node:http" ? typeof http : typeof https = createRequire(import.meta.url);
  return protocol === "https:" ? require("node:https") : require("node:http");
}

/** The agent itself does not list a socket that is still on its way through a proxy, and nobody else would close it. */
function watchSockets(agent: Agent, onSocket: (socket: Duplex) => void): void {
  const createConnection = agent.createConnection.bind(agent);
  agent.createConnection = (...parameters) => {
    const socket = createConnection(...parameters);
    if (socket) onSocket(socket);
    return socket;
  };
}

async function besidesDefaults(ca: readonly string[]): Promise<string[]> {
  const { getCACertificates } = await import("node:tls");
  return [...getCACertificates("default"), ...ca];
}
