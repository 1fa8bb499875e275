import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempDisposable, rename, stat, writeFile } from "node:fs/promises";
import { type IncomingMessage, request, type RequestOptions } from "node:http";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClientConnection, listenAt, readClientToken, type TokenFlags } from "@unroll/thread-host/wire";
import { createTestIo } from "@unroll/program/fixture/test-io";
import { expect, test } from "vitest";
import { WebSocket } from "ws";

interface Server extends AsyncDisposable {
  readonly stderr: () => string;
}

/** One that greets who gets in. */
function listen(address: string, env: Readonly<Record<string, string>> = {}, flags: TokenFlags = {}): Server {
  const io = createTestIo({ env });
  const stop = new AbortController();
  const serve = async ({ output }: ClientConnection): Promise<void> => void output.write("hello");
  const ended = readClientToken(flags, io).then((token) =>
    listenAt(address, { serve, io, signal: stop.signal, token, tokenVariable: "TOKEN" }),
  );
  return {
    stderr: () => io.written.stderr,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}

async function greet(path: string): Promise<string> {
  const socket = createConnection(path);
  socket.write("{}\n");
  const [said] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return said.toString();
}

test("a socket that another server serves is left to it; one that nobody serves any more is taken away", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-listen-"));
  const path = join(folder.path, "server.sock");
  const left = join(folder.path, "left.sock");
  {
    await using first = listen(`unix://${path}`);
    await expect.poll(first.stderr).toContain("listening");
    const second = listen(`unix://${path}`)[Symbol.asyncDispose]();
    await expect(second).rejects.toThrow(`${path}: another server listens there: end it, or name another.`);
    expect(await greet(path)).toBe("hello");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await rename(path, left); // what its end takes away is the name that it had
  }
  await using next = listen(`unix://${left}`);
  await expect.poll(next.stderr).toContain("listening");
  expect(await greet(left)).toBe("hello");
});

test("an empty token is none: one is made", async () => {
  await using server = listen("ws://127.0.0.1:0", { TOKEN: "" });
  await expect.poll(server.stderr).toMatch(/ws:\/\/[\d.:]+, token ./);
  const [, url = "", token = ""] = /(ws:\/\/[\d.:]+), token (.+)\n/.exec(server.stderr()) ?? [];
  const open = (authorization: string): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = new WebSocket(url, { headers: { authorization } });
    socket.on("error", ({ message }) => resolve(message)).on("open", () => (socket.terminate(), resolve("open")));
    return promise;
  };
  expect(await open("Bearer ")).toContain("401");
  expect(await open(`Bearer ${token}`)).toBe("open");
});

/** The first message, or the error of the attempt. */
function openSocket(url: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = new WebSocket(url, { headers });
  socket.on("error", ({ message }) => resolve(message)).on("message", (frame: Buffer) => resolve(frame.toString()));
  return promise.finally(() => socket.terminate());
}

async function probe(path: string, options: RequestOptions): Promise<number | undefined> {
  const [response] = (await once(request({ path, ...options }).end(), "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test("a Unix socket answers lines and WebSockets at once, but no page of a browser", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-listen-"));
  const path = join(folder.path, "server.sock");
  await using server = listen(`unix://${path}`);
  await expect.poll(server.stderr).toContain("listening");
  expect(await greet(path)).toBe("hello");
  expect(await openSocket(`ws+unix://${path}:/`)).toBe("hello");
  expect(await openSocket(`ws+unix://${path}:/`, { origin: "http://page" })).toContain("403");
  expect(await probe("/readyz", { socketPath: path })).toBe(200);
});

test("probes of a WebSocket's address need no token, and get nothing else", async () => {
  await using server = listen("ws://127.0.0.1:0");
  await expect.poll(server.stderr).toContain("ws://");
  const [, port = ""] = /ws:\/\/[\d.]+:(\d+)/.exec(server.stderr()) ?? [];
  const ask = (path: string, options: RequestOptions = {}): Promise<number | undefined> =>
    probe(path, { host: "127.0.0.1", port, ...options });
  expect([await ask("/readyz"), await ask("/healthz"), await ask("/readyz", { method: "HEAD" })]).toEqual([
    200, 200, 200,
  ]);
  expect(await ask("/readyz", { method: "POST" })).toBe(405);
  expect(await ask("/readyz", { headers: { origin: "http://page" } })).toBe(403);
  expect(await ask("/")).toBe(400);
});

test("a token of a file or by its digest lets clients in, and is not shown", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-listen-"));
  const file = join(folder.path, "token");
  await writeFile(file, "open-sesame\n");
  const wsTokenSha256 = createHash("sha256").update("open-sesame").digest("hex");
  for (const flags of [{ wsTokenFile: file }, { wsTokenSha256 }]) {
    await using server = listen("ws://127.0.0.1:0", { TOKEN: "other" }, { wsAuth: "capability-token", ...flags });
    await expect.poll(server.stderr).toContain("ws://");
    const [url = ""] = /ws:\/\/[\d.:]+/.exec(server.stderr()) ?? [];
    expect(server.stderr()).not.toContain("token");
    expect(await openSocket(url, { authorization: "Bearer open-sesame" })).toBe("hello");
    for (const headers of [{}, { authorization: "Bearer other" }])
      expect(await openSocket(url, headers)).toContain("401");
  }
});

test("flags for a token that cannot hold are refused", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-listen-"));
  const empty = join(folder.path, "empty");
  await writeFile(empty, "\n");
  const wsAuth = "capability-token";
  const refuse = async (flags: TokenFlags, address = "ws://127.0.0.1:0"): Promise<string> => {
    const ended = listen(address, {}, flags)[Symbol.asyncDispose]();
    return ended.then(String, (error: Error) => error.message);
  };
  expect(await refuse({ wsAuth })).toContain("needs either");
  expect(await refuse({ wsAuth, wsTokenFile: empty, wsTokenSha256: "ab" })).toContain("needs either");
  expect(await refuse({ wsAuth, wsTokenSha256: "ab" })).toContain("64 hexadecimal digits");
  expect(await refuse({ wsAuth, wsTokenFile: empty })).toContain("has no token");
  expect(await refuse({ wsAuth, wsTokenFile: join(folder.path, "none") })).toContain("cannot be read");
  expect(await refuse({ wsTokenFile: empty })).toContain("need --ws-auth");
  expect(await refuse({ wsAuth: "signed-bearer-token" })).toContain("capability-token only");
  const wsTokenSha256 = "ab".repeat(32);
  expect(await refuse({ wsAuth, wsTokenSha256 }, `unix://${join(folder.path, "socket")}`)).toContain("ws:// only");
  expect(await refuse({}, "off")).toContain("nothing to serve");
});
