import type { Socket } from "node:net";
import { type HostTarget, isAddress, normaliseHost } from "../host/host-pattern.ts";
import { readClientHello } from "../wire/client-hello.ts";
import { readStart, type Start } from "../wire/read-start.ts";
import type { Outgoing } from "./outgoing.ts";

/** The protocol in a tunnel: TLS or SSH to the host that was judged, HTTP, or nothing that can be let through. */
type Spoken = { readonly type: "http" } | { readonly type: "opaque" } | { readonly type: "refused"; reason: string };

/** Reads the first bytes of a tunnel, which stay in the socket. TLS must name the host that the tunnel is for. */
export async function judgeTunnel(socket: Socket, target: HostTarget): Promise<Spoken> {
  const start = await readStart(socket, readProtocol);
  const { host, port } = target;
  if (start.type !== "found") return refuse(target, start.reason);
  if (start.value === "http") return { type: "http" };
  if (start.value === "ssh")
    return port === 22 ? { type: "opaque" } : refuse(target, "SSH is let through to port 22 alone");
  const hello = await readStart(socket, readClientHello);
  if (hello.type !== "found") return refuse(target, hello.reason);
  const { serverName } = hello.value;
  if (serverName === null && isAddress(host)) return { type: "opaque" };
  if (serverName !== null && normaliseHost(serverName) === host) return { type: "opaque" };
  return refuse(target, serverName === null ? "its TLS names no server" : "its TLS names another server");
}

function refuse({ host, port }: HostTarget, reason: string): Spoken {
  return { type: "refused", reason: `The connection to ${host}:${String(port)} was closed: ${reason}.` };
}

function readProtocol(bytes: Buffer): Start<"tls" | "http" | "ssh"> {
  const text = bytes.toString("latin1", 0, 32);
  if (bytes[0] === 22) return { type: "found", value: "tls", length: 0 };
  if (text.startsWith("SSH-")) return { type: "found", value: "ssh", length: 0 };
  if (/^[A-Z-]{1,24} /.test(text)) return { type: "found", value: "http", length: 0 };
  if (/^[A-Z-]{0,24}$/.test(text)) return { type: "incomplete" };
  return { type: "broken", reason: "it speaks neither TLS nor HTTP nor SSH" };
}

/** Joins a client and its host until both directions have ended; an end of one direction is passed on as such. */
export function joinSockets(client: Socket, { socket, sendTo }: Outgoing, count: (bytes: number) => void): void {
  client.on("data", (piece) => count(piece.length)).pipe(socket);
  client.once("close", () => socket.destroySoon());
  socket.once("end", () => client.end());
  socket.once("close", () => client.destroySoon());
  sendTo(client);
}
