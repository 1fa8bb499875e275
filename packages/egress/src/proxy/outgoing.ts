import { request } from "node:http";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls, TLSSocket } from "node:tls";
import { describeSystemError } from "@unroll/text";
import type { HostTarget } from "../host/host-pattern.ts";

/** A connection on which a host answers. Nothing of it is read before `sendTo`. */
export interface Outgoing {
  readonly socket: Socket;
  /** Passes on all bytes that come, but not their end. Call it once. */
  readonly sendTo: (sink: Socket) => void;
}

/** The part that all connections share. */
export interface OutgoingPorts {
  readonly connectTimeoutMs: number;
  /** Gets the length of each piece that was moved. */
  readonly count: (bytes: number) => void;
  /** The size of the pieces of a new connection. Memory is used only as far as a piece has filled it. */
  readonly pieceBytes: () => number;
}

/** Connects to an address. Null: nobody answers there. */
export async function connectTo({ host, port }: HostTarget, ports: OutgoingPorts): Promise<Outgoing | null> {
  let sink: Socket | null = null;
  const readOn = (): void => void socket.resume();
  const socket = connect({
    host: host.replace(/^\[|\]$/g, ""),
    port,
    allowHalfOpen: true,
    // One buffer for all pieces. One that cannot be written at once holds the next one back. This
    // takes a third less time than `pipe`.
    onread: {
      buffer: Buffer.allocUnsafeSlow(ports.pieceBytes()),
      callback(length, buffer) {
        ports.count(length);
        sink?.write(buffer.subarray(0, length), readOn);
        return sink?.writableLength === 0;
      },
    },
  });
  socket.pause();
  if ((await awaitOpen(socket, "connect", ports)) !== null) return null;
  return {
    socket,
    sendTo(taker) {
      sink = taker;
      socket.resume();
    },
  };
}

/** Connects to the proxy of a company. Throws an `Error` whose message says what the proxy did. */
export async function connectToProxy(proxy: URL, ports: OutgoingPorts): Promise<Outgoing> {
  return toOutgoing(await openProxySocket(proxy, ports), ports);
}

/** Opens a tunnel through such a proxy; throws likewise. */
export async function openProxyTunnel(proxy: URL, authority: string, ports: OutgoingPorts): Promise<Outgoing> {
  const socket = await openProxySocket(proxy, ports);
  const asking = request({
    createConnection: () => socket,
    method: "CONNECT",
    path: authority,
    headers: { host: authority, ...toProxyHeaders(proxy) },
    timeout: ports.connectTimeoutMs,
  });
  return new Promise((resolve, reject) => {
    const fail = (what: string): void => {
      socket.destroy();
      reject(new Error(`${what} to CONNECT`));
    };
    asking.once("timeout", () => fail("did not answer"));
    asking.once("error", (error) => fail(`gave no answer (${describeSystemError(error)})`));
    asking.once("connect", ({ statusCode = 0 }, _, head) => {
      if (statusCode < 200 || statusCode > 299) return fail(`answered with status ${String(statusCode)}`);
      socket.setTimeout(0);
      if (head.length > 0) socket.unshift(head);
      resolve(toOutgoing(socket, ports));
    });
    asking.end();
  });
}

/** The header of each request to a proxy whose URL has a user. */
export function toProxyHeaders({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const pair = [username, password].map((part) => decodeURIComponent(part)).join(":");
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

async function openProxySocket({ protocol, hostname, port }: URL, ports: OutgoingPorts): Promise<Socket> {
  const isTls = protocol === "https:";
  const host = hostname.replace(/^\[|\]$/g, "");
  const place = { host, port: Number(port || (isTls ? 443 : 80)), allowHalfOpen: true };
  const name = isIP(host) === 0 && { servername: host };
  const socket = isTls ? connectTls({ ...place, ...name }) : connect(place);
  const failure = await awaitOpen(socket, isTls ? "secureConnect" : "connect", ports);
  if (failure === null) return socket;
  const isUntrusted = socket instanceof TLSSocket && Boolean(socket.authorizationError);
  const untrusted = "its certificate is not trusted; name its authority in SSL_CERT_FILE";
  throw new Error(`cannot be reached (${isUntrusted ? untrusted : failure})`);
}

function toOutgoing(socket: Socket, { count }: OutgoingPorts): Outgoing {
  return {
    socket,
    sendTo(sink) {
      socket.on("data", (piece) => count(piece.length)).pipe(sink, { end: false });
    },
  };
}

/** Null, or why it did not open. Afterwards an error closes the socket, and nothing else. */
function awaitOpen(socket: Socket, event: string, { connectTimeoutMs }: OutgoingPorts): Promise<string | null> {
  return new Promise((resolve) => {
    socket.setTimeout(connectTimeoutMs, () =>
      socket.destroy(Object.assign(new Error("timeout"), { code: "ETIMEDOUT" })),
    );
    socket.on("error", (error) => resolve(describeSystemError(error)));
    socket.once(event, () => {
      socket.removeAllListeners("timeout").setTimeout(0);
      resolve(null);
    });
  });
}
