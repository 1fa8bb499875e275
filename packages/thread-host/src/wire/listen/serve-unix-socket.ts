import { once } from "node:events";
import { chmod, lstat, unlink } from "node:fs/promises";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { ProgramError } from "@unroll/program";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import type { Listening } from "./listening.ts";

/** How long a client may take nothing while others wait, in ms. */
const patienceMs = 10_000;

/** Only its user may connect. A socket that a server before left behind is taken away; one that somebody serves, and anything else, is not. */
export async function serveUnixSocket(path: string, { serve, io, signal }: Listening): Promise<void> {
  await removeStale(path);
  const clients = new Set<Promise<void>>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
    const link = { input: socket, output: socket, patienceMs, close: () => void socket.destroy() };
    const serving = serve(link).finally(() => {
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
  if (await isServed(path))
    throw new ProgramError("input", `--listen unix://${path}: another server listens there: end it, or name another.`);
  await unlink(path);
}

/** Whether somebody may be behind it: only one that refuses connections was left behind. */
async function isServed(path: string): Promise<boolean> {
  const socket = createConnection(path);
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    return systemErrorCode(error) !== "ECONNREFUSED"; // of a server that is busy (EAGAIN), or not ours, too, it is not taken away
  } finally {
    socket.destroy();
  }
}

async function listen(server: Server, path: string): Promise<void> {
  try {
    server.listen(path);
    await once(server, "listening");
  } catch (error) {
    throw new ProgramError("input", `--listen unix://${path}: ${describeSystemError(error)}.`, { cause: error });
  }
}
