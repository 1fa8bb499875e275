import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { text as readAll } from "node:stream/consumers";
import { expect, test } from "vitest";
import { exchange, openProxy, serve } from "./fixture/egress-fixture.ts";

const allowing = (port: number) => ({ allow: [`a.test:${port}`, `127.0.0.1:${port}`] });

test.each([
  ["with a length", "Content-Length: 5\r\n\r\nhello"],
  ["in chunks", "Transfer-Encoding: chunked\r\n\r\n2;x=y\r\nhe\r\n3\r\nllo\r\n0\r\nX: y\r\n\r\n"],
])("a body %s reaches the host, also where the client ends its direction with it", async (_, rest) => {
  await using server = await serve(
    createHttpServer((request, answer) => {
      const { connection, "transfer-encoding": encoding, "content-length": length } = request.headers;
      void readAll(request).then((body) => answer.end(JSON.stringify([body, connection, encoding ?? length])));
    }),
  );
  await using proxy = await openProxy(allowing(server.port));
  const socket = await proxy.open();
  const host = `a.test:${server.port}`;
  socket.end(`POST http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\n${rest}`);
  const answer = await readAll(socket);
  const framing = rest.startsWith("T") ? "chunked" : "5";
  expect(answer.split("\r\n\r\n").at(-1)).toBe(JSON.stringify(["hello", "close", framing]));
});

test("a host that closes without an answer is reported as such", async () => {
  await using server = await serve(createServer((socket) => socket.once("data", () => socket.destroy())));
  await using proxy = await openProxy(allowing(server.port));
  const host = `a.test:${server.port}`;
  const text = await exchange(await proxy.open(), `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  expect(text).toMatch(/^HTTP\/1.1 502 [^]*a\.test did not answer\.\n/);
});

test("a slow reader holds its host back, and gets every byte in order", async () => {
  const piece = Buffer.from(Array.from({ length: 65_536 }, (_, at) => at % 251));
  const pieces = 400;
  await using server = await serve(
    createServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      let left = pieces;
      const write = (): void => {
        while (left > 0) {
          left -= 1;
          if (!socket.write(piece)) return void socket.once("drain", write);
        }
        socket.end();
      };
      socket.once("data", write);
    }),
  );
  await using proxy = await openProxy(allowing(server.port));
  const socket = await proxy.open();
  const host = `a.test:${server.port}`;
  socket.write(`GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await once(socket, "readable"); // and leaves it there, until both sides are full
  const all: Buffer[] = [];
  for await (const chunk of socket) {
    all.push(chunk as Buffer);
    if (all.length % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const body = Buffer.concat(all).subarray("HTTP/1.1 200 OK\r\n\r\n".length);
  expect(body.equals(Buffer.concat(Array.from({ length: pieces }, () => piece)))).toBe(true);
});

test.each(["up", "down"])(
  "connections that move more than the bound, %s, are closed and not served again",
  async (way) => {
    const large = "x".repeat(200_000);
    await using server = await serve(
      createHttpServer((request, answer) => {
        request.resume();
        answer.end(way === "down" ? large : "");
      }),
    );
    await using proxy = await openProxy({ ...allowing(server.port), limits: { bytes: 100_000 } });
    const host = `a.test:${server.port}`;
    const body = way === "up" ? large : "";
    const send = async () =>
      exchange(
        await proxy.open(),
        `POST http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    expect([(await send()).includes(large), await send()]).toEqual([false, ""]);
    expect(proxy.events.filter(({ type }) => type === "host.denied")).toEqual([
      {
        type: "host.denied",
        host: null,
        port: null,
        rule: null,
        reason: "All connections were closed: they may move 100000 bytes together.",
      },
    ]);
  },
);
