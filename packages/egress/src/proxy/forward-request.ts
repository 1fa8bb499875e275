import { type IncomingMessage, request as sendRequest, type ServerResponse } from "node:http";
import { type HostTarget, parseHostTarget } from "../host/host-pattern.ts";
import { type DialPorts, dialHost } from "./dial.ts";

/** Headers of one connection, which a proxy does not pass on (RFC 9110 7.6.1). */
const hopByHop = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The host and the path that a request of HTTP asks for. Null: it names no host, or two. */
function readRequestTarget(
  { url = "", headersDistinct }: Pick<IncomingMessage, "url" | "headersDistinct">,
  tunnel: HostTarget | null,
): { readonly target: HostTarget; readonly path: string } | null {
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

/** Sends one request on to its host, on a connection of its own, and answers with what the host answers. */
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
  const dialled = await dialHost(read.target, ports);
  if (dialled.type !== "connected") return refuse(answer, dialled.type === "denied" ? 403 : 502, dialled.reason);
  const { socket } = dialled;
  if (answer.destroyed) {
    socket.destroy();
    return;
  }
  const outgoing = sendRequest({
    createConnection: () => socket,
    method: incoming.method,
    path: read.path,
    headers: toHeaders(incoming.rawHeaders, incoming.headers.connection),
    setHost: false,
  });
  const fail = (): void => {
    socket.destroy();
    if (answer.headersSent) answer.destroy();
    else refuse(answer, 502, `${read.target.host} did not answer.`);
  };
  outgoing.on("error", fail);
  answer.once("close", () => socket.destroy());
  incoming.on("error", fail);
  outgoing.on("response", (response) => {
    response.on("error", fail);
    answer.writeHead(response.statusCode ?? 502, toHeaders(response.rawHeaders, response.headers.connection));
    response.pipe(answer);
  });
  incoming.pipe(outgoing);
}

/** Ends an answer with a reason, and the connection with it. */
function refuse(answer: ServerResponse, status: number, reason: string): void {
  answer.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  answer.end(`${reason}\n`);
}

/** Names and values in turns, without those of the connection; Node frames the body by itself. */
function toHeaders(raw: readonly string[], connection: string | undefined): string[] {
  const own = new Set((connection ?? "").split(",").map((name) => name.trim().toLowerCase()));
  return raw.flatMap((name, index) => {
    if (index % 2 === 1) return [];
    const key = name.toLowerCase();
    return hopByHop.has(key) || own.has(key) ? [] : [name, raw[index + 1] ?? ""];
  });
}
