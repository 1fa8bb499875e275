import { createConnection, createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A relay in front of a server that breaks connections. */
export interface CuttingProxy extends AsyncDisposable {
  /** The server's URL through the relay. */
  readonly url: string;
  /** How many connections it has broken. */
  readonly cuts: number;
}

/** Messages of a client that begin a statement: Parse, and Query (https://www.postgresql.org/docs/current/protocol-message-formats.html). */
const statementTypes: readonly (string | undefined)[] = ["P", "Q"];

/** Whether the connection breaks at a statement: before the server has it, or before its answer arrives. `number`: of all that came, from 1. */
interface Cuts {
  readonly choose: (statement: string, number: number) => "before" | "behind" | null;
  /** Nothing passes after the first one. */
  readonly isLast: boolean;
}

/** At each statement twice: when it comes first, before the server has it; and behind it when it comes after its repetition. */
function cutEach(): Cuts {
  /** How often each statement came, apart from its values. */
  const counts = new Map<string, number>();
  function choose(statement: string): "before" | "behind" | null {
    const count = (counts.get(statement) ?? 0) + 1;
    counts.set(statement, count);
    return count === 1 ? "before" : count === 3 ? "behind" : null;
  }
  return { choose, isLast: false };
}

/** At one statement and for ever, as where the client was killed. */
export function cutFrom(first: number, when: "before" | "behind"): Cuts {
  return { choose: (_statement, number) => (number === first ? when : null), isLast: true };
}

/** `serverUrl`: of a server on a socket, as `startPostgres` gives it. */
export async function openCuttingProxy(serverUrl: string, { choose, isLast }: Cuts = cutEach()): Promise<CuttingProxy> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-proxy-"));
  const name = ".s.PGSQL.5432";
  const target = join(new URL(serverUrl.replace("unroll@", "unroll@host")).searchParams.get("host") ?? "", name);
  const sockets = new Set<Socket>();
  let [cuts, count] = [0, 0];

  function cutAt(bytes: Buffer): "before" | "behind" | null {
    const message = bytes.toString("latin1");
    if (!statementTypes.includes(message[0])) return null;
    const [statement = ""] = /[a-z][^\0]+/.exec(message) ?? [];
    const when = choose(statement, (count += 1));
    if (when !== null) cuts += 1;
    return when;
  }

  const server: Server = createServer((client) => {
    if (isLast && cuts > 0) return void client.destroy();
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
      const when = cutAt(bytes);
      isCut ||= when !== null;
      if (when === "before") return end();
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
    get cuts() {
      return cuts;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await folder.remove();
    },
  };
}
