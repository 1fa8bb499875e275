import { once } from "node:events";
import { chmod, lstat, unlink } from "node:fs/promises";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { ProgramError } from "@unroll/program";
import { describeSystemError, systemErrorCode } from "@unroll/text";
import { type Listening, patienceMs } from "./listening.ts";
import { openWebSocketServer } from "./open-web-socket-server.ts";

/**
 * Lines of JSON or a WebSocket, as the client begins. Only its user may connect. A socket that a server before left behind is taken away; one that
 * somebody serves, and anything else, is not.
 */
export async function serveUnixSocket(path: string, listening: Listening): Promise<void> {
  const { serve, io, signal } = listening;
  await removeStale(path);
  const clients = new Set<Promise<void>>();
  const sockets = new Set<Socket>();
  const webSockets = openWebSocketServer(listening, null);
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
    socket.once("readable", () => {
      const start: unknown = socket.read();
      if (!Buffer.isBuffer(start)) return void socket.end();
      socket.unshift(start);
      if (isHttp(start)) webSockets.http.emit("connection", socket);
      else serveLines(socket);
    });
  });
  function serveLines(socket: Socket): void {
    const link = { input: socket, output: socket, patienceMs, close: () => void socket.destroy() };
    const serving = serve(link).finally(() => {
      clients.delete(serving);
      socket.end();
    });
    clients.add(serving);
  }
  await listen(server, path);
  await chmod(path, 0o600);
  io.stderr.stream.write(`unroll: listening on unix://${path}\n`);
  if (!signal.aborted) await once(signal, "abort");
  server.close();
  for (const socket of sockets) socket.destroy();
  await Promise.all([...clients, webSockets.close()]);
}

/** JSON does not begin with a capital; the method of a request does. */
function isHttp(start: Buffer): boolean {
  return /^[A-Z]/.test(start.toString("latin1", 0, 1));
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
