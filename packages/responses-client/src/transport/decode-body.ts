import type { IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import type { Duplex, Readable } from "node:stream";
import type * as zlib from "node:zlib";

/** By their names in `content-encoding` (RFC 9110, 8.4.1; RFC 8878 for zstd). */
const decoders: Readonly<Record<string, (library: typeof zlib) => Duplex>> = {
  gzip: (library) => library.createGunzip(),
  "x-gzip": (library) => library.createGunzip(),
  deflate: (library) => library.createInflate(),
  br: (library) => library.createBrotliDecompress(),
  zstd: (library) => library.createZstdDecompress(),
};

/**
 * The body of an answer before its encodings, which some proxies apply although no request asks for one. The stream emits the
 * errors of its decoders. Null: an encoding is unknown.
 */
export function decodeBody(response: IncomingMessage): Readable | null {
  const names = readEncodings(response);
  if (names.length === 0) return response;
  const require: (id: "node:zlib") => typeof zlib = createRequire(import.meta.url); // hardly any answer needs it
  const library = require("node:zlib");
  const chain = names.map((name) => decoders[name]?.(library) ?? null);
  let body: Readable = response;
  for (const decoder of chain) {
    if (decoder === null) return null;
    body.on("error", (error) => decoder.destroy(error));
    body = body.pipe(decoder);
  }
  return body;
}

/** The last that was applied comes first. */
function readEncodings({ headers }: IncomingMessage): readonly string[] {
  const names = (headers["content-encoding"] ?? "").split(",").map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== "" && name !== "identity").toReversed();
}
