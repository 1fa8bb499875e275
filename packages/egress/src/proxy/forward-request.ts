import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { type HostTarget, parseHostTarget } from "../host/host-pattern.ts";
import { type DialPorts, dialHost } from "./dial.ts";
import { toProxyHeaders } from "./outgoing.ts";

/** Headers of one connection, which a proxy does not pass on (RFC 9110 7.6.1). */
const hopByHop = new Set([
  "connection",
  "expect", // Node has answered it
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** `Connection` may name headers that end here, but not these: without them a host would read another request, or of another host. */
const endToEnd = new Set(["content-length", "host"]);

interface Wanted {
  readonly target: HostTarget;
  readonly path: string;
}

/** The host and the path that a request of HTTP asks for. Null: it names no host, or two. */
function readRequestTarget(
  { url = "", headersDistinct }: Pick<IncomingMessage, "url" | "headersDistinct">,
  tunnel: HostTarget | null,
): Wanted | null {
  const [hostHeader, ...more] = headersDistinct["host"] ?? [];
  if (hostHeader === undefined || more.length > 0) return null;
  const named = toTarget(hostHeader);
  const [, authority, path = ""] = /^http:\/\/([^/?#@]+)([/?].*)?$/i.exec(url) ?? [];
  const isOrigin = url.startsWith("/") || url === "*";
  const target = authority === undefined ? tunnel : toTarget(authority);
  if (named === null || target === null || (authority === undefined && !isOrigin)) return null;
  const isSame = [named, tunnel ?? named].every(({ host, port }) => host === target.host && port === target.port);
  if (!isSame) return null;
  return { target, path: authority === undefined ? url : path.startsWith("/") ? path : `/${path}` };
}

/** Without a port, HTTP means 80. */
function toTarget(authority: string): HostTarget | null {
  return parseHostTarget(/:\d+$/.test(authority) ? authority : `${authority}:80`);
}

/** Passes one request on to its host, on a connection of its own, and whatever the host answers back. */
export async function forwardRequest(
  incoming: IncomingMessage,
  answer: ServerResponse,
  options: { readonly ports: DialPorts; readonly tunnel: HostTarget | null },
): Promise<void> {
  const { ports, tunnel } = options;
  const read = readRequestTarget(incoming, tunnel);
  if (read === null) {
    const reason = tunnel
      ? `A request was not sent: its Host is not ${tunnel.host}:${String(tunnel.port)}, which the connection is for.`
      : "A request was not sent: it does not name one host in its URL and its Host header.";
    const { host, port } = tunnel ?? { host: null, port: null };
    ports.report({ type: "host.denied", host, port, rule: null, reason });
    return refuse(answer, 403, reason);
  }
  const dialled = await dialHost(read.target, "http", ports);
  if (dialled.type !== "connected") return refuse(answer, dialled.type === "denied" ? 403 : 502, dialled.reason);
  const { outgoing, proxy } = dialled;
  const { socket } = outgoing;
  const client = incoming.socket;
  if (client.destroyed) {
    socket.destroy();
    return;
  }
  client.once("close", () => socket.destroySoon());
  socket.once("close", () => {
    if (socket.bytesRead === 0) refuse(answer, 502, `${read.target.host} did not answer.`);
    else client.destroySoon();
  });
  socket.once("end", () => socket.destroySoon());
  socket.write(toHead(incoming, read, proxy), "latin1");
  const isChunked = incoming.headers["transfer-encoding"] !== undefined;
  const body = isChunked ? Readable.from(toChunks(incoming), { objectMode: false }) : incoming;
  body.on("error", () => socket.destroy());
  body.on("data", (piece: Buffer) => ports.count(piece.length)).pipe(socket, { end: false });
  outgoing.sendTo(client);
}

/** The head for the host, or for a proxy on the way, which hears the whole URL. The connection ends after the answer. */
function toHead({ method, rawHeaders, headers }: IncomingMessage, { target, path }: Wanted, proxy: URL | null): string {
  const url = proxy === null ? path : `http://${target.host}:${String(target.port)}${path}`;
  const framing = headers["transfer-encoding"] === undefined ? {} : { "transfer-encoding": "chunked" };
  const own = Object.entries({ ...framing, ...(proxy && toProxyHeaders(proxy)), connection: "close" });
  const lines = [...toHeaders(rawHeaders, headers.connection), ...own].map((pair) => pair.join(": "));
  return [`${method ?? "GET"} ${url} HTTP/1.1`, ...lines, "", ""].join("\r\n");
}

/** A body without a length, framed again: what came is what its parser understood of it. */
async function* toChunks(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer | string> {
  for await (const piece of body) {
    yield `${piece.length.toString(16)}\r\n`;
    yield piece;
    yield "\r\n";
  }
  yield "0\r\n\r\n";
}

/** Ends an answer with a reason, and the connection with it. */
function refuse(answer: ServerResponse, status: number, reason: string): void {
  answer.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  answer.end(`${reason}\n`);
}

/** Pairs of a name and a value, without those of the connection. */
function toHeaders(raw: readonly string[], connection: string | undefined): (readonly [string, string])[] {
  const named = (connection ?? "").split(",").map((name) => name.trim().toLowerCase());
  const own = new Set(named.filter((name) => !endToEnd.has(name)));
  return raw.flatMap((name, index): (readonly [string, string])[] => {
    if (index % 2 === 1) return [];
    const key = name.toLowerCase();
    return hopByHop.has(key) || own.has(key) ? [] : [[name, raw[index + 1] ?? ""]];
  });
}
