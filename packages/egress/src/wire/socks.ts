import { type HostTarget, normaliseHost } from "../host/host-pattern.ts";
import type { Start } from "./read-start.ts";

/** The first byte of SOCKS 5 (RFC 1928); no request of HTTP starts with it. */
export const socksVersion = 5;

/** Reads the methods that a client of SOCKS 5 offers; it must offer to come without a login. */
export function readSocksGreeting(bytes: Buffer): Start<null> {
  if (bytes.length < 2) return { type: "incomplete" };
  const length = 2 + bytes.readUInt8(1);
  if (bytes.length < length) return { type: "incomplete" };
  if (bytes[0] !== socksVersion) return { type: "broken", reason: "it is not SOCKS 5" };
  if (!bytes.subarray(2, length).includes(0)) return { type: "broken", reason: "it wants to log in" };
  return { type: "found", value: null, length };
}

/** Reads the host that a client of SOCKS 5 wants to connect to. */
export function readSocksRequest(bytes: Buffer): Start<HostTarget> {
  if (bytes.length < 5) return { type: "incomplete" };
  if (bytes[0] !== socksVersion || bytes[1] !== 1 || bytes[2] !== 0) {
    return { type: "broken", reason: "it is not CONNECT of SOCKS 5" };
  }
  const start = bytes[3] === 3 ? 5 : 4;
  const size = bytes[3] === 3 ? bytes.readUInt8(4) : addressBytes.get(bytes.readUInt8(3));
  if (size === undefined) return { type: "broken", reason: "it names a host in an unknown form" };
  const end = start + size;
  if (bytes.length < end + 2) return { type: "incomplete" };
  const host = normaliseHost(toText(bytes.subarray(start, end), bytes.readUInt8(3)));
  const port = bytes.readUInt16BE(end);
  if (host === null || port === 0) return { type: "broken", reason: "it does not name one host and port" };
  return { type: "found", value: { host, port }, length: end + 2 };
}

const addressBytes: ReadonlyMap<number, number> = new Map([
  [1, 4],
  [4, 16],
]);

function toText(bytes: Buffer, type: number): string {
  if (type === 3) return bytes.toString("latin1");
  if (type === 1) return bytes.join(".");
  return `[${(bytes.toString("hex").match(/.{4}/g) ?? []).join(":")}]`;
}

/** Codes of a reply (RFC 1928, 6). */
export const socksReplies = { succeeded: 0, failed: 1, denied: 2, unreachable: 4 } as const;

/** A reply without an address: nobody uses it for CONNECT. */
export function toSocksReply(code: number): Buffer {
  return Buffer.from([socksVersion, code, 0, 1, 0, 0, 0, 0, 0, 0]);
}
