import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Proxy extends AsyncDisposable {
  readonly origin: string;
  /** The first line of each request to the proxy. */
  readonly asked: readonly string[];
  /** Resolves when no socket is open any more. */
  allClosed(): Promise<void>;
}

/** A proxy that gives `reply` to a CONNECT (nothing where it is empty), and on 200 opens the tunnel if `tunnels`. */
export async function startProxy(reply: string, tunnels: "tunnels" | "stalls"): Promise<Proxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.once("data", (head) => {
      const line = head.toString().split("\r\n")[0] ?? "";
      asked.push(line);
      socket.write(reply);
      if (tunnels === "stalls") return;
      const [host = "", port = ""] = line.split(" ")[1]?.split(":") ?? [];
      const target = connect(Number(port), host).on("error", () => socket.destroy());
      socket.pipe(target).pipe(socket);
      socket.on("close", () => target.destroy());
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async allClosed() {
      for (const socket of sockets) await new Promise((resolve) => socket.once("close", resolve));
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
