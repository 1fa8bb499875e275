import { resolve } from "node:path";
import { ProgramError } from "@unroll/program";
import type { Listening } from "./listening.ts";

/**
 * Serves clients at an address until `signal` aborts: `stdio://` for the parent process, until its
 * input ends; `unix://PATH` for this user; `ws://127.0.0.1:PORT` for clients with the token, which
 * is written to stderr. Throws `ProgramError` for another address, and for one that cannot be
 * opened.
 */
export async function listenAt(address: string, listening: Listening): Promise<void> {
  if (address === "stdio://") return serveStdio(listening);
  const path = /^unix:\/\/(.+)$/s.exec(address)?.[1];
  if (path !== undefined) {
    if (listening.token !== null)
      throw new ProgramError("usage", "--ws-auth is for ws:// only: a Unix socket is open to its user alone.");
    const { serveUnixSocket } = await import("./serve-unix-socket.ts");
    return serveUnixSocket(resolve(listening.io.cwd, path), listening);
  }
  const [, host = "", port = ""] = /^ws:\/\/(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})\/?$/.exec(address) ?? [];
  if (port !== "") {
    const { serveWebSockets } = await import("./serve-web-sockets.ts");
    return serveWebSockets({ host: host === "[::1]" ? "::1" : "127.0.0.1", port: Number(port) }, listening);
  }
  if (address === "off")
    throw new ProgramError("usage", "--listen off: there is nothing to serve, because unroll has no remote control.");
  const message = "stdio://, unix://PATH or ws://127.0.0.1:PORT is expected: it is served to this machine alone.";
  throw new ProgramError("usage", `--listen ${address}: ${message}`);
}

/** Nobody else waits for its reader: a slow one slows its own turns down. */
function serveStdio({ serve, io: { stdin, stdout }, signal }: Listening): Promise<void> {
  const { stream } = stdin;
  signal.addEventListener("abort", () => stream.destroy(), { once: true });
  return serve({ input: stream, output: stdout.stream, patienceMs: null, close: () => stream.destroy() });
}
