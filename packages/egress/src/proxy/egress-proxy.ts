import { contain } from "@unroll/flow";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type HostTarget, parseHostTarget } from "../host/host-pattern.ts";
import { readStart } from "../wire/read-start.ts";
import { readSocksGreeting, readSocksRequest, socksReplies, socksVersion, toSocksReply } from "../wire/socks.ts";
import { type DialPorts, dialHost } from "./dial.ts";
import { forwardRequest } from "./forward-request.ts";
import { joinSockets, judgeTunnel } from "./tunnel.ts";

/** The ports and bounds of a proxy. */
export interface EgressOptions extends Pick<DialPorts, "rules" | "resolve" | "report" | "ask" | "findProxy"> {
  readonly limits?: Partial<EgressLimits>;
}

/** Bounds of one proxy. */
export interface EgressLimits {
  /** More connections at once are closed. Default: 256. */
  readonly connections: number;
  /** The headers of one request of HTTP. Default: 16 KiB. */
  readonly headerBytes: number;
  /** Until a connection to a host is made, for each address, and until a client said what it wants. Default: 20 s. */
  readonly connectTimeoutMs: number;
  /** A connection on which nothing moves for so long is closed. Default: 10 minutes. */
  readonly idleTimeoutMs: number;
  /** All connections together may move so much, both ways. At more, all are closed, and no others are served. Default: 32 GiB. */
  readonly bytes: number;
}

const defaults: EgressLimits = {
  connections: 256,
  headerBytes: 16_384,
  connectTimeoutMs: 20_000,
  idleTimeoutMs: 600_000,
  bytes: 2 ** 35,
};

/** Up to so many open connections, a new one gets large pieces. So 256 can fill 120 MiB together. */
const fewConnections = 32;
const [largePiece, smallPiece] = [2 ** 21, 2 ** 18];

/** A proxy for CONNECT, HTTP and SOCKS 5. It listens nowhere: its owner gives it connections. */
export interface EgressProxy extends AsyncDisposable {
  /** Serves a connection, which must be made with `allowHalfOpen`. */
  readonly accept: (socket: Socket) => void;
}

/** The parts that all connections of one proxy share. */
interface Door {
  readonly ports: DialPorts;
  readonly http: Server;
  /** The host of a connection on which HTTP speaks inside a tunnel. */
  readonly tunnels: WeakMap<Duplex, HostTarget>;
  /** Connections on which a request came: what follows it there is not read. */
  readonly used: WeakSet<Duplex>;
  readonly limits: EgressLimits;
}

/** `rules` is asked at each connection, so that a policy that became narrower counts at once. */
export function createEgressProxy({ limits: own, ...options }: EgressOptions): EgressProxy {
  const limits = { ...defaults, ...own };
  const outgoing = new Set<Socket>();
  const sockets = new Set<Socket>();
  let isClosed = false;
  let bytesLeft = limits.bytes;
  const count = (bytes: number): void => {
    bytesLeft -= bytes;
    if (bytesLeft >= 0 || isClosed) return;
    isClosed = true;
    const reason = `All connections were closed: they may move ${String(limits.bytes)} bytes together.`;
    options.report({ type: "host.denied", host: null, port: null, rule: null, reason });
    for (const socket of [...sockets, ...outgoing]) socket.destroy();
  };
  const pieceBytes = (): number => (sockets.size > fewConnections ? smallPiece : largePiece);
  const ports = { ...options, connectTimeoutMs: limits.connectTimeoutMs, outgoing, count, pieceBytes };
  const tunnels = new WeakMap<Duplex, HostTarget>();
  const http = createServer({ maxHeaderSize: limits.headerBytes });
  // A client may end its direction and still wait for the answer. Node's types do not have it.
  Object.assign(http, { httpAllowHalfOpen: true });
  const used = new WeakSet<Duplex>();
  const door: Door = { ports, http, tunnels, used, limits };
  http.on("request", (request, answer) => {
    if (used.has(request.socket)) return;
    used.add(request.socket);
    request.socket.setTimeout(limits.idleTimeoutMs);
    const tunnel = tunnels.get(request.socket) ?? null;
    contain(forwardRequest, () => answer.destroy())(request, answer, { ports, tunnel });
  });
  http.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    const { code = "" } = error;
    // An answer may be on its way already.
    if (!code.startsWith("HPE_") || used.has(socket)) return void socket.destroy();
    const { host, port } = tunnels.get(socket) ?? { host: null, port: null };
    const reason = `A request was not sent: it is not plain HTTP/1.1 (${code}).`;
    options.report({ type: "host.denied", host, port, rule: null, reason });
    socket.end(toHttpReply("400 Bad Request", reason));
  });
  http.on("connect", (request: IncomingMessage, _: Duplex, head: Buffer) => {
    const { socket } = request;
    if (used.has(socket)) return;
    contain(serveConnect, () => socket.destroy())(request, head, door);
  });
  return {
    accept: (socket) => {
      if (isClosed || sockets.size >= limits.connections) {
        socket.destroy();
        return;
      }
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      socket.on("error", () => socket.destroy());
      socket.setTimeout(limits.connectTimeoutMs, () => socket.destroy());
      contain(serveSocket, () => socket.destroy())(socket, door);
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      const open = [...sockets, ...outgoing];
      await Promise.all(open.map((socket) => closeSocket(socket)));
    },
  };
}

/** Resolves when it is closed, and reported. */
function closeSocket(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once("close", () => resolve()).destroy();
  });
}

async function serveSocket(socket: Socket, door: Door): Promise<void> {
  const first = await readStart(socket, (bytes) => ({ type: "found", value: bytes[0], length: 0 }));
  if (first.type !== "found") socket.destroy();
  else if (first.value === socksVersion) await serveSocks(socket, door);
  else giveToHttp(socket, door);
}

/** Node's server reads a socket that already holds bytes as if they came now. */
function giveToHttp(socket: Socket, { http }: Door): void {
  http.emit("connection", socket);
  socket.resume();
}

async function serveSocks(socket: Socket, door: Door): Promise<void> {
  const greeting = await readStart(socket, readSocksGreeting);
  if (greeting.type !== "found") return endBroken(socket, greeting.reason, door);
  socket.write(Buffer.from([socksVersion, 0]));
  const request = await readStart(socket, readSocksRequest);
  if (request.type !== "found") return endBroken(socket, request.reason, door);
  await serveTunnel(socket, request.value, {
    door,
    replies: {
      connected: toSocksReply(socksReplies.succeeded),
      denied: () => toSocksReply(socksReplies.denied),
      unreachable: () => toSocksReply(socksReplies.unreachable),
    },
  });
}

function endBroken(socket: Socket, why: string, { ports }: Door): void {
  const reason = `A connection was closed: ${why}.`;
  ports.report({ type: "host.denied", host: null, port: null, rule: null, reason });
  socket.end(toSocksReply(socksReplies.failed));
}

async function serveConnect(request: IncomingMessage, head: Buffer, door: Door): Promise<void> {
  const { socket } = request;
  if (head.length > 0) socket.unshift(head);
  const target = parseHostTarget(request.url ?? "");
  if (target === null || door.tunnels.has(socket)) {
    const reason = "CONNECT does not name one host and port.";
    door.ports.report({ type: "host.denied", host: null, port: null, rule: null, reason });
    socket.end(toHttpReply("400 Bad Request", reason));
    return;
  }
  await serveTunnel(socket, target, {
    door,
    replies: {
      connected: Buffer.from("HTTP/1.1 200 Connection established\r\n\r\n"),
      denied: (reason) => toHttpReply("403 Forbidden", reason),
      unreachable: (reason) => toHttpReply("502 Bad Gateway", reason),
    },
  });
}

function toHttpReply(status: string, reason: string): Buffer {
  const body = `${reason}\n`;
  const length = String(Buffer.byteLength(body));
  const head = `content-type: text/plain; charset=utf-8\r\ncontent-length: ${length}\r\nconnection: close`;
  return Buffer.from(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${body}`);
}

/** How a protocol tells its client whether a tunnel is open. */
interface TunnelReplies {
  readonly connected: Buffer;
  readonly denied: (reason: string) => Buffer;
  readonly unreachable: (reason: string) => Buffer;
}

/** Connects first, since most clients say nothing before they hear that they are connected; then judges what they say. */
async function serveTunnel(
  socket: Socket,
  target: HostTarget,
  { door, replies }: { readonly door: Door; readonly replies: TunnelReplies },
): Promise<void> {
  // Somebody may be asked first.
  socket.setTimeout(door.limits.idleTimeoutMs);
  const dialled = await dialHost(target, "tunnel", door.ports);
  if (dialled.type !== "connected") {
    socket.end(replies[dialled.type](dialled.reason));
    return;
  }
  const { outgoing } = dialled;
  const upstream = outgoing.socket;
  if (socket.destroyed) {
    upstream.destroy();
    return;
  }
  socket.once("close", () => upstream.destroySoon());
  socket.setTimeout(door.limits.connectTimeoutMs, () => socket.destroy());
  socket.write(replies.connected);
  const spoken = await judgeTunnel(socket, target);
  switch (spoken.type) {
    case "http":
      upstream.destroy();
      door.tunnels.set(socket, target);
      giveToHttp(socket, door);
      return;
    case "opaque":
      socket.setTimeout(door.limits.idleTimeoutMs);
      joinSockets(socket, outgoing, door.ports.count);
      return;
    case "refused":
      upstream.destroy();
      door.ports.report({ type: "host.denied", ...target, rule: null, reason: spoken.reason });
      socket.destroy();
  }
}
