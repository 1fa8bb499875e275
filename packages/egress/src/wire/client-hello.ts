import type { KnownStart, Start } from "./read-start.ts";

/** The part of TLS that comes before it is encrypted. With encrypted ClientHello it is the outer one. */
export interface ClientHello {
  /** As sent; null: it names no server. */
  readonly serverName: string | null;
}

/** A ClientHello with a post-quantum key share has about 2 kB. */
const maxHelloBytes = 65_536;

/** Reads the ClientHello at the start of a TLS connection (RFC 8446 4.1.2; RFC 6066 3), split into records in any way. */
export function readClientHello(bytes: Buffer): Start<ClientHello> {
  if (bytes.length > maxHelloBytes) return broken("its ClientHello is too long");
  const handshake: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] !== 22) return broken("it does not start with a TLS handshake");
    if (at + 5 > bytes.length) break;
    const length = bytes.readUInt16BE(at + 3);
    if (length === 0 || length > 16_384) return broken("a TLS record has a wrong length");
    handshake.push(bytes.subarray(at + 5, at + 5 + length));
    at += 5 + length;
    const found = readHandshake(Buffer.concat(handshake));
    if (found !== null) return found;
  }
  return { type: "incomplete" };
}

function broken(reason: string): KnownStart<never> {
  return { type: "broken", reason };
}

/** Null: more bytes are needed. No byte is used: the server reads them, too. */
function readHandshake(bytes: Buffer): KnownStart<ClientHello> | null {
  if (bytes.length < 4) return null;
  if (bytes[0] !== 1) return broken("its first TLS message is not a ClientHello");
  const end = 4 + bytes.readUIntBE(1, 3);
  if (end > maxHelloBytes) return broken("its ClientHello is too long");
  if (bytes.length < end) return null;
  const value = readHello(bytes.subarray(4, end));
  return value === null ? broken("its ClientHello is broken") : { type: "found", value, length: 0 };
}

/** Null: the message is broken. */
function readHello(body: Buffer): ClientHello | null {
  const resumed = skip(body.subarray(34), 1);
  const ciphers = resumed && skip(resumed.rest, 2);
  const compression = ciphers && skip(ciphers.rest, 1);
  if (body.length < 34 || !compression) return null;
  if (compression.rest.length === 0) return { serverName: null };
  const extensions = skip(compression.rest, 2);
  if (!extensions || extensions.rest.length > 0) return null;
  let serverName: string | null = null;
  for (let rest = extensions.content; rest.length > 0;) {
    const extension = rest.length < 4 ? null : skip(rest.subarray(2), 2);
    if (!extension) return null;
    if (rest.readUInt16BE(0) === 0) {
      const found = readNameList(extension.content);
      if (found === null || serverName !== null) return null;
      serverName = found;
    }
    rest = extension.rest;
  }
  return { serverName };
}

/** One name of type `host_name`; a list of two could be read in two ways. */
function readNameList(content: Buffer): string | null {
  const list = skip(content, 2);
  if (!list || list.rest.length > 0 || list.content[0] !== 0) return null;
  const name = skip(list.content.subarray(1), 2);
  return name && name.rest.length === 0 && name.content.length > 0 ? name.content.toString("latin1") : null;
}

/** The content after a length of so many bytes, and the rest. Null: it is longer than the bytes. */
function skip(bytes: Buffer, lengthBytes: 1 | 2): { readonly content: Buffer; readonly rest: Buffer } | null {
  if (bytes.length < lengthBytes) return null;
  const end = lengthBytes + bytes.readUIntBE(0, lengthBytes);
  return end > bytes.length ? null : { content: bytes.subarray(lengthBytes, end), rest: bytes.subarray(end) };
}
