import { once } from "node:events";
import { mkdtempDisposable, rename, stat } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClientConnection, listenAt } from "@unroll/thread-host/wire";
import { createTestIo } from "@unroll/program/fixture/test-io";
import { expect, test } from "vitest";
import { WebSocket } from "ws";

interface Server extends AsyncDisposable {
  readonly stderr: () => string;
}

/** One that greets who gets in. */
function listen(address: string, env: Readonly<Record<string, string>> = {}): Server {
  const io = createTestIo({ env });
  const stop = new AbortController();
  const serve = async ({ output }: ClientConnection): Promise<void> => void output.write("hello");
  const ended = listenAt(address, { serve, io, signal: stop.signal, tokenVariable: "TOKEN" });
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
