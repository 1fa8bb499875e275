import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Socket } from "node:net";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import { expect, test } from "vitest";
import { exchange, hasOpenssl, makeCertificate, openProxy, openTunnel, serve } from "./fixture/egress-fixture.ts";

/** The types of Node do not name it for a client. */
const halfOpen = { allowHalfOpen: true };

const certificate = hasOpenssl ? makeCertificate(["a.test", "b.test", "xn--bcher-kva.test"]) : { key: "", cert: "" };

test.skipIf(!hasOpenssl)("TLS reaches the host that the tunnel and the ClientHello name, unbroken", async () => {
  await using server = await serveTls();
  await using proxy = await openProxy(allowing(server.port));
  expect(await greet(proxy, `A.test.:${server.port}`, "a.test")).toBe("hello from a.test");
  const { port } = server;
  const end = {
    type: "host.closed",
    host: "a.test",
    port,
    sentBytes: expect.any(Number),
    receivedBytes: expect.any(Number),
  };
  await proxy.until("host.closed");
  expect(proxy.events).toEqual([{ type: "host.allowed", host: "a.test", port, rule: `a.test:${port}` }, end]);
});

test.skipIf(!hasOpenssl).each(["Bücher.test", "xn--bcher-kva.test", "XN--BCHER-KVA.TEST."])(
  "the rule %s means a name in punycode, in upper case and with a final dot, and not one that looks like it",
  async (rule) => {
    await using server = await serveTls();
    await using proxy = await openProxy({ allow: [rule, `127.0.0.1:${server.port}`] });
    const name = "xn--bcher-kva.test";
    expect(await greet(proxy, `XN--Bcher-kva.Test.:${server.port}`, name)).toBe(`hello from ${name}`);
    for (const other of ["bucher.test", "xn--b-eha.test"])
      expect(await openTunnel(await proxy.open(), `${other}:${server.port}`)).toBe("HTTP/1.1 403 Forbidden");
    expect(proxy.events[0]).toEqual({ type: "host.allowed", host: name, port: server.port, rule: name });
  },
);

test.skipIf(!hasOpenssl).each([
  ["another host", "b.test"],
  ["no host", ""],
])("a ClientHello that names %s is not passed on", async (_, servername) => {
  await using server = await serveTls();
  await using proxy = await openProxy(allowing(server.port));
  expect(await greet(proxy, `a.test:${server.port}`, servername)).toBe("");
  const why = servername === "" ? "its TLS names no server" : "its TLS names another server";
  await proxy.until("host.denied");
  expect(proxy.events.filter(({ type }) => type === "host.denied")).toEqual([
    {
      type: "host.denied",
      host: "a.test",
      port: server.port,
      rule: null,
      reason: `The connection to a.test:${server.port} was closed: ${why}.`,
    },
  ]);
});

test.each([
  ["c.test", "c.test"],
  ["127.0.0.2", "127.0.0.2"],
  ["[::1]", "[::1]"],
  ["[::ffff:127.0.0.2]", "127.0.0.2"],
  ["0x7f000002", "127.0.0.2"],
])("a tunnel to %s, which no rule names, is denied", async (host, told) => {
  await using proxy = await openProxy({ allow: ["a.test", "127.0.0.1"] });
  expect(await openTunnel(await proxy.open(), `${host}:443`)).toBe("HTTP/1.1 403 Forbidden");
  const reason = `${told}:443 is not among the hosts that commands may reach.`;
  expect(proxy.events).toEqual([{ type: "host.denied", host: told, port: 443, rule: null, reason }]);
});

test.each([
  "127.0.0.1",
  "10.0.0.1",
  "169.254.169.254",
  "168.63.129.16",
  "100.64.0.1",
  "::1",
  "::ffff:127.0.0.1",
  "fe80::1",
  "fc00::1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "::127.0.0.1",
])("a name that means %s is denied, where only the name is allowed", async (address) => {
  await using proxy = await openProxy({ allow: ["a.test"], names: { "a.test": [address] } });
  expect(await openTunnel(await proxy.open(), "a.test:443")).toBe("HTTP/1.1 403 Forbidden");
  expect(proxy.events).toMatchObject([{ type: "host.denied", host: "a.test", rule: "a.test" }]);
});

test.skipIf(!hasOpenssl)(
  "a name is resolved once for a connection, and the address that was judged is dialled",
  async () => {
    await using server = await serveTls();
    await using proxy = await openProxy(allowing(server.port));
    await greet(proxy, `a.test:${server.port}`, "a.test");
    expect(proxy.asked).toEqual(["a.test"]);
  },
);

test("a connection carries one request: another one behind it reaches nobody", async () => {
  await using server = await serve(
    createHttpServer((request, answer) => answer.end(`${request.headers.host} ${request.url}`)),
  );
  await using proxy = await openProxy(allowing(server.port));
  const host = `a.test:${server.port}`;
  const first = `GET http://${host}/1 HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const other = `GET http://c.test:${server.port}/2 HTTP/1.1\r\nHost: c.test:${server.port}\r\n\r\n`;
  const text = await exchange(await proxy.open(), first + other);
  expect(text.match(/HTTP\/1.1 \d+|\S+ \/\d/g)).toEqual(["HTTP/1.1 200", `${host} /1`]);
});

test.each([
  ["in a request for another host", (host: string) => `GET http://${host}/ HTTP/1.1\r\nHost: c.test\r\n\r\n`],
  ["twice", (host: string) => `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nHost: c.test\r\n\r\n`],
  ["without a host in the URL", (host: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`],
])("a Host %s is refused", async (_, write) => {
  await using server = await serve(createHttpServer((_request, answer) => answer.end("reached")));
  await using proxy = await openProxy(allowing(server.port));
  const text = await exchange(await proxy.open(), write(`a.test:${server.port}`));
  expect(text).toMatch(/^HTTP\/1.1 40[03] /);
  expect(text).not.toContain("reached");
});

const smuggled = "GET /2 HTTP/1.1\r\nHost: c.test\r\n\r\n";

/** Sends a request with these headers and the other one as its body; the answer's first line, and all that the host got. */
async function smuggle(headers: string) {
  let received = "";
  const hosts = createServer((socket) =>
    socket.on("data", (data) => {
      received += String(data);
      if (received.endsWith(smuggled)) socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    }),
  );
  await using server = await serve(hosts);
  await using proxy = await openProxy(allowing(server.port));
  const host = `a.test:${server.port}`;
  const head = `Host: ${host}\r\n${headers}\r\n\r\n`;
  const text = await exchange(await proxy.open(), `POST http://${host}/1 HTTP/1.1\r\n${head}${smuggled}`);
  return { status: text.slice(9, 12), received, host, events: proxy.events };
}

test("Connection takes away neither the length nor the host of a request", async () => {
  const length = `Content-Length: ${smuggled.length}`;
  const { status, received, host } = await smuggle(`Connection: Content-Length, Host\r\n${length}`);
  const head = `POST /1 HTTP/1.1\r\nHost: ${host}\r\n${length}\r\nconnection: close\r\n\r\n`;
  expect([status, received]).toEqual(["200", head + smuggled]);
});

test.each([
  ["a length and chunks", `Content-Length: 4\r\nTransfer-Encoding: chunked`],
  ["two lengths", `Content-Length: 0\r\nContent-Length: ${smuggled.length}`],
  ["a length with a sign", `Content-Length: +${smuggled.length}`],
  ["an unknown transfer encoding", `Transfer-Encoding: xchunked\r\nContent-Length: ${smuggled.length}`],
  ["chunks within another encoding", `Transfer-Encoding: chunked, identity`],
  ["a folded header", `X: y\r\n Host: c.test`],
  ["a carriage return in a header", `X: y\rHost: c.test`],
])("a request with %s is refused, and an event says why", async (_, headers) => {
  const { status, received, events } = await smuggle(headers);
  const reason: unknown = expect.stringMatching(/^A request was not sent: it is not plain HTTP\/1\.1 \(HPE_/);
  const denied = { type: "host.denied", host: null, port: null, rule: null, reason };
  expect([status, received, events]).toEqual(["400", "", [denied]]);
});

test("a client that breaks off while it sends chunks ends the host's connection, and nothing else", async () => {
  const begun = Promise.withResolvers<Socket>();
  await using server = await serve(createServer((socket) => socket.once("data", () => begun.resolve(socket))));
  await using proxy = await openProxy(allowing(server.port));
  const host = `a.test:${server.port}`;
  const client = await proxy.open();
  client.write(`POST http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe`);
  const socket = await begun.promise;
  client.resetAndDestroy();
  await once(socket.resume(), "close");
  await proxy.until("host.closed");
  expect(proxy.events.map(({ type }) => type)).toEqual(["host.allowed", "host.closed"]);
});

test("HTTP/2 without an upgrade, and an upgrade to it, do not reach the host as such", async () => {
  await using server = await serve(createHttpServer((request, answer) => answer.end(JSON.stringify(request.headers))));
  await using proxy = await openProxy(allowing(server.port));
  const host = `a.test:${server.port}`;
  const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  expect(await exchange(await proxy.open(), preface)).toMatch(/^HTTP\/1.1 400 /);
  const tunnel = await proxy.open();
  await openTunnel(tunnel, host);
  expect(await exchange(tunnel, preface)).toMatch(/^HTTP\/1.1 400 /);
  const upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk";
  const text = await exchange(
    await proxy.open(),
    `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n${upgrade}\r\n\r\n`,
  );
  expect(text.split("\r\n\r\n")[1]).toContain(JSON.stringify({ host, connection: "close" }));
});

test("HTTP in a tunnel reaches the tunnel's host alone", async () => {
  await using server = await serve(createHttpServer((request, answer) => answer.end(`reached ${request.url}\n`)));
  await using proxy = await openProxy(allowing(server.port));
  const authority = `a.test:${server.port}`;
  const ask = async (host: string) => {
    const socket = await proxy.open();
    expect(await openTunnel(socket, authority)).toBe("HTTP/1.1 200 Connection established");
    const text = await exchange(socket, `GET /1 HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    return text.match(/HTTP\/1.1 \d+|reached \S+/g);
  };
  expect([await ask(authority), await ask("b.test")]).toEqual([["HTTP/1.1 200", "reached /1"], ["HTTP/1.1 403"]]);
});

test("SOCKS 5 opens the same tunnels, and denies the same hosts", async () => {
  await using server = await serve(createHttpServer((_, answer) => answer.end("reached")));
  await using proxy = await openProxy(allowing(server.port));
  const allowed = await proxy.open();
  expect((await askSocks(allowed, "a.test", server.port))[1]).toBe(0);
  const text = await exchange(allowed, `GET / HTTP/1.1\r\nHost: a.test:${server.port}\r\nConnection: close\r\n\r\n`);
  expect(text).toContain("reached");
  expect((await askSocks(await proxy.open(), "c.test", server.port))[1]).toBe(2);
});

test.each([
  [
    "headers of a megabyte",
    `GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\nX: ${"x".repeat(1_000_000)}`,
    /HPE_HEADER_OVERFLOW|^$/,
  ],
  ["a version of SOCKS that it does not speak", Buffer.from([4, 1, 0, 80, 127, 0, 0, 1]), /^HTTP\/1.1 400|^$/],
  ["SOCKS for a datagram", Buffer.from([5, 1, 0, 5, 3, 0, 1, 127, 0, 0, 1, 0, 80]), /./],
])("%s ends the connection", async (_, sent, expected) => {
  await using proxy = await openProxy({ allow: ["a.test"] });
  expect(await exchange(await proxy.open(), sent)).toMatch(expected);
});

test("an unknown protocol in a tunnel, and SSH to another port than 22, do not reach the host", async () => {
  const received: string[] = [];
  await using server = await serve(createServer((socket) => socket.on("data", (data) => received.push(String(data)))));
  await using proxy = await openProxy(allowing(server.port));
  for (const sent of ["SSH-2.0-x\r\n", "\u0000\u0001binary"]) {
    const socket = await proxy.open();
    await openTunnel(socket, `a.test:${server.port}`);
    expect(await exchange(socket, sent)).toBe("");
  }
  expect(received).toEqual([]);
});

test("a client that says nothing is let go", async () => {
  await using proxy = await openProxy({ allow: [], limits: { connectTimeoutMs: 20 } });
  const socket = await proxy.open();
  socket.resume();
  await once(socket, "end");
  expect(proxy.events).toEqual([]);
});

test.skipIf(!hasOpenssl)(
  "200 connections at once work, each with its half-close, and one more than the bound is closed",
  async () => {
    await using server = await serve(
      createTlsServer({ ...certificate, allowHalfOpen: true }, (socket) => socket.pipe(socket)),
    );
    await using proxy = await openProxy({ ...allowing(server.port), limits: { connections: 200 } });
    const body = "x".repeat(100_000);
    const tunnels = await Promise.all(Array.from({ length: 200 }, () => proxy.open()));
    const over = await proxy.open();
    over.resume();
    await once(over, "end");
    const answers = await Promise.all(
      tunnels.map(async (socket) => {
        await openTunnel(socket, `a.test:${server.port}`);
        const tls = connectTls({ socket, servername: "a.test", ca: certificate.cert, ...halfOpen });
        await once(tls, "secureConnect");
        tls.end(body);
        let length = 0;
        for await (const chunk of tls) length += String(chunk).length;
        return length;
      }),
    );
    expect(answers).toEqual(tunnels.map(() => body.length));
  },
);

function allowing(port: number) {
  return { allow: [`a.test:${port}`, `127.0.0.1:${port}`] };
}

function serveTls() {
  return serve(createTlsServer(certificate, (socket) => socket.end(`hello from ${String(socket.servername)}`)));
}

async function greet(proxy: { open: () => Promise<Socket> }, authority: string, servername: string): Promise<string> {
  const socket = await proxy.open();
  if ((await openTunnel(socket, authority)) !== "HTTP/1.1 200 Connection established") throw new Error("denied");
  const tls = connectTls({
    socket,
    servername,
    ca: certificate.cert,
    ...(servername === "" && { checkServerIdentity: () => undefined }),
  });
  let text = "";
  for await (const chunk of tls) text += String(chunk);
  socket.destroy();
  return text;
}

async function askSocks(socket: Socket, host: string, port: number): Promise<Buffer> {
  const name = Buffer.from(host);
  socket.write(Buffer.concat([Buffer.from([5, 1, 0])]));
  await once(socket, "data");
  socket.write(Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, Buffer.from([port >> 8, port & 255])]));
  const [reply] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  return reply;
}
