import { once } from "node:events";
import { chmod, lstat, unlink } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { resolve } from "node:path";
import { ProgramError } from "@unroll/program";
import { describeSystemError } from "@unroll/text";
import { serveClient } from "../wire/serve-client.ts";
import type { Listening } from "./listening.ts";
import { serveWebSockets } from "./serve-web-sockets.ts";

/** How long a client may take nothing while others wait, in ms. */
const patienceMs = 10_000;

/** Serves any number of clients until `signal` aborts. Throws `ProgramError` for an address that cannot be had. */
export async function serveSocket(listen: string, listening: Listening): Promise<void> {
  const [, path] = /^unix:\/\/(.+)$/s.exec(listen) ?? [];
  if (path !== undefined) return serveUnixSocket(resolve(listening.io.cwd, path), listening);
  const [, host = "", port = ""] = /^ws:\/\/(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})\/?$/.exec(listen) ?? [];
  if (port !== "")
    return serveWebSockets({ host: host === "[::1]" ? "::1" : "127.0.0.1", port: Number(port) }, listening);
  const message = "stdio://, unix://PATH or ws://127.0.0.1:PORT is expected: it is served to this machine alone.";
  throw new ProgramError("usage", `--listen ${listen}: ${message}`);
}

/** Only its user may connect. A socket that a server before left behind is taken away; anything else is not. */
async function serveUnixSocket(path: string, { service, io, signal }: Listening): Promise<void> {
  await removeStale(path);
  const clients = new Set<Promise<void>>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
    const link = { input: socket, output: socket, patienceMs, close: () => void socket.destroy() };
    const serving = serveClient(link, service).finally(() => {
      clients.delete(serving);
      socket.end();
    });
    clients.add(serving);
  });
  await listen(server, path);
  await chmod(path, 0o600);
  io.stderr.stream.write(`unroll: listening on unix://${path}\n`);
  if (!signal.aborted) await once(signal, "abort");
  server.close();
  for (const socket of sockets) socket.destroy();
  await Promise.all(clients);
}

async function removeStale(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (!found.isSocket()) throw new ProgramError("input", `--listen unix://${path}: there is a file of that name.`);
  await unlink(path);
}

async function listen(server: Server, path: string): Promise<void> {
  try {
    server.listen(path);
    await once(server, "listening");
  } catch (error) {
    throw new ProgramError("input", `--listen unix://${path}: ${describeSystemError(error)}.`, { cause: error });
  }
}
