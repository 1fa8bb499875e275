import { execFileSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtempDisposableSync, readFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEgressProxy, type EgressEvent, type EgressLimits, parseHostPattern } from "@unroll/egress";

/** A proxy on loopback, with rules of the test and its own name server. */
export async function openProxy(options: {
  readonly allow: readonly string[];
  readonly deny?: readonly string[];
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly limits?: Partial<EgressLimits>;
}) {
  const events: EgressEvent[] = [];
  const asked: string[] = [];
  const news = new EventEmitter();
  const rules = { allow: options.allow.map(toPattern), deny: (options.deny ?? []).map(toPattern) };
  const proxy = createEgressProxy({
    rules: () => rules,
    resolve: async (name) => {
      asked.push(name);
      return options.names?.[name] ?? ["127.0.0.1"];
    },
    report: (event) => {
      events.push(event);
      news.emit(event.type);
    },
    ...(options.limits && { limits: options.limits }),
  });
  const server = createServer({ allowHalfOpen: true }, proxy.accept);
  const port = await listen(server);
  return {
    port,
    events,
    asked,
    /** Waits for an event of a type. */
    until: async (type: EgressEvent["type"]) => {
      if (!events.some((event) => event.type === type)) await once(news, type);
    },
    open: () => openSocket(port),
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, "close"); // it may come while the proxy ends
      server.close();
      await proxy[Symbol.asyncDispose]();
      await closed;
    },
  };
}

function toPattern(text: string) {
  const parsed = parseHostPattern(text);
  if (parsed.type === "refused") throw new Error(`${text} ${parsed.reason}`);
  return parsed.pattern;
}

/** Listens on a free port of loopback. */
async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port.");
  return address.port;
}

/** A server that closes with everything that is connected to it. */
export async function serve(server: Server) {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
  });
  const port = await listen(server);
  return {
    port,
    count: () => sockets.size,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

async function openSocket(port: number) {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** Sends all, and reads until the other side ends. */
export async function exchange(socket: Socket, sent: string | Buffer): Promise<string> {
  socket.write(sent);
  let text = "";
  socket.on("data", (chunk) => (text += String(chunk)));
  socket.resume();
  await Promise.race([once(socket, "end"), once(socket, "close")]).catch(() => null);
  return text;
}

/** Asks for a tunnel, and gives the status line; the socket is the tunnel then. */
export async function openTunnel(socket: Socket, authority: string): Promise<string> {
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  const [chunk] = await once(socket, "data");
  socket.pause();
  return String(chunk).split("\r\n")[0] ?? "";
}

/** A key and a certificate for some names, made now. */
export function makeCertificate(names: readonly string[]) {
  using folder = mkdtempDisposableSync(join(tmpdir(), "egress-"));
  const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(folder.path, name)) as [string, string];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  const subject = ["-subj", "/CN=test", "-addext", `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`];
  const args = ["req", "-x509", ...curve, "-nodes", "-days", "2", "-keyout", key, "-out", cert, ...subject];
  execFileSync("openssl", args, { stdio: "ignore" });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}
