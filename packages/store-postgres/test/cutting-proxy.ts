import { createConnection, createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A relay in front of a server that breaks connections. */
export interface CuttingProxy extends AsyncDisposable {
  /** The server's URL through the relay. */
  readonly url: string;
  /** How many messages came from clients. */
  readonly count: number;
  /** Breaks the connection at the nth message from now on: before the server has it, or before its answer arrives. */
  cutAt(nth: number, when: "before" | "behind"): void;
}

/** `serverUrl`: of a server on a socket, as `startPostgres` gives it. */
export async function openCuttingProxy(serverUrl: string): Promise<CuttingProxy> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-proxy-"));
  const name = ".s.PGSQL.5432";
  const target = join(new URL(serverUrl.replace("unroll@", "unroll@host")).searchParams.get("host") ?? "", name);
  const sockets = new Set<Socket>();
  let [count, cutCount, cutWhen]: [number, number, "before" | "behind"] = [0, Infinity, "before"];
  const server: Server = createServer((client) => {
    const upstream = createConnection(target);
    let isCut = false;
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", end);
    }
    client.on("data", (bytes) => {
      count += 1;
      isCut ||= count === cutCount;
      if (isCut && cutWhen === "before") return end();
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (isCut) end();
      else client.write(bytes);
    });
  });
  server.listen(join(folder.path, name));
  await once(server, "listening");
  return {
    url: `postgresql://unroll@/postgres?host=${encodeURIComponent(folder.path)}`,
    get count() {
      return count;
    },
    cutAt(nth, when) {
      [cutCount, cutWhen] = [count + nth, when];
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await folder.remove();
    },
  };
}
