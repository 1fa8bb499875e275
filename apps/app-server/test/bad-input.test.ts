import { createConnection, type Socket } from "node:net";
import { join } from "node:path";
import type { CapturedRequest, Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import {
  createTestClient,
  openServerWorld,
  type ServerWorld,
  type TestClient,
  threadOf,
  type Told,
} from "./server-world.ts";

const text = (said: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text: said }] });
const go = [{ type: "text", text: "Go" }];
const hello = { clientInfo: { name: "test", version: "1" } };
const isEnd = ({ method }: Told): boolean => method === "turn/completed";

/** More for a longer look: 10 makes it 100,000 messages, and 250 threads. */
const runs = Number(process.env["UNROLL_TEST_RUNS"] ?? 1);

interface SocketClient extends TestClient {
  readonly socket: Socket;
}

/** A server on a socket, with so many clients, each initialized. */
async function connect(world: ServerWorld, count: number): Promise<readonly SocketClient[]> {
  const path = join(world.home, "server.sock");
  const server = world.start({ listen: `unix://${path}` });
  await expect.poll(() => server.stderr()).toContain("listening");
  const clients = Array.from({ length: count }, () => {
    const socket = createConnection(path).on("error", () => {});
    return { socket, ...createTestClient({ input: socket, write: (line) => void socket.write(line) }) };
  });
  await Promise.all(clients.map((client) => client.request("initialize", hello)));
  return clients;
}

test("a flood is answered line by line, and nobody else notices", async () => {
  await using world = await openServerWorld({ script: { turns: [text("Hello.")] } });
  const [flooding, other] = await connect(world, 2);
  if (flooding === undefined || other === undefined) throw new Error("two clients");
  const count = 10_000 * runs;
  const lines = Array.from({ length: count }, (_, id) => `{"id":${id},"method":"thread/list/none"}\n`);
  for (let at = 0; at < count; at += 10_000) flooding.write(lines.slice(at, at + 10_000).join(""));
  const threadId = threadOf(await other.request("thread/start", {}));
  await other.request("turn/start", { threadId, input: go });
  expect((await other.find(isEnd)).params).toMatchObject({ turn: { status: "completed" } });
  const last = await flooding.find(({ id }) => id === count - 1);
  expect(last.error).toMatchObject({ code: -32601 });
  expect(flooding.told).toHaveLength(count + 1);
});

test("what is too much at once is refused, and the rest is answered", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = await world.open();
  server.write(Array.from({ length: 300 }, (_, id) => `{"id":${id},"method":"thread/list","params":{}}\n`).join(""));
  const answers = await Promise.all(Array.from({ length: 300 }, (_, id) => server.find((told) => told.id === id)));
  const refused = answers.filter(({ error }) => error?.code === -32001);
  expect(refused.length).toBeGreaterThan(0);
  expect(answers.filter(({ result }) => result !== undefined)).toHaveLength(300 - refused.length);
  expect((await server.request("thread/list", {})).result).toMatchObject({ data: [] });
});

test("a client that reads nothing holds up its own turn, so that little is kept for it, and no other client's", async () => {
  const long = { items: Array.from({ length: 100 }, () => ({ text: "word ".repeat(800) })) };
  const respond = ({ input }: CapturedRequest): Turn => (JSON.stringify(input).includes("Long") ? long : text("Hi."));
  await using world = await openServerWorld({ respond });
  const [other] = await connect(world, 1);
  if (other === undefined) throw new Error("a client");
  const socket = createConnection(join(world.home, "server.sock"));
  const post = (id: number, method: string, params: object): void =>
    void socket.write(`${JSON.stringify({ id, method, params })}\n`);
  const readIds = async (): Promise<unknown> => (await other.request("thread/loaded/list")).result?.["data"];
  post(0, "initialize", hello);
  post(1, "thread/start", {});
  await expect.poll(readIds).toHaveLength(1);
  const [threadId] = (await readIds()) as readonly string[];
  post(2, "turn/start", { threadId, input: [{ type: "text", text: "Long" }] });
  const own = threadOf(await other.request("thread/start", {}));
  for (const _ of [1, 2, 3]) {
    const before = other.told.length;
    await other.request("turn/start", { threadId: own, input: go });
    const end = await other.find((told, at) => isEnd(told) && at >= before);
    expect(end.params).toMatchObject({ threadId: own, turn: { status: "completed" } });
  }
  const { result } = await other.request("thread/read", { threadId });
  expect(result).toMatchObject({ thread: { status: { type: "active" } } });
  const slow = createTestClient({ input: socket, write: () => {} });
  expect((await slow.find(isEnd)).params).toMatchObject({ threadId, turn: { status: "completed" } });
});

test("a client that dies leaves nothing running that only it needed, and another client can resume its thread", async () => {
  const wait = { items: [{ call: "exec_command", arguments: { cmd: "sleep 60" } }] };
  await using world = await openServerWorld({ script: { turns: [wait, text("Here.")] } });
  const [dying, other] = await connect(world, 2);
  if (dying === undefined || other === undefined) throw new Error("two clients");
  const settings = { approvalPolicy: "never", sandbox: "danger-full-access" };
  const threadId = threadOf(await dying.request("thread/start", settings));
  await dying.request("turn/start", { threadId, input: go });
  await dying.find(({ params }) => (params?.["item"] as Told | undefined)?.["type"] === "commandExecution");
  dying.socket.destroy();
  const loaded = async (): Promise<unknown> => (await other.request("thread/loaded/list")).result?.["data"];
  await expect.poll(loaded).toEqual([]);
  const resumed = await other.request("thread/resume", { threadId });
  expect(resumed.result).toMatchObject({ thread: { id: threadId, turns: [{ status: "interrupted" }] } });
  await other.request("turn/start", { threadId, input: go });
  expect((await other.find(isEnd)).params).toMatchObject({ turn: { status: "completed" } });
});

test("many threads run at once, and each has its own notifications", async () => {
  await using world = await openServerWorld({ respond: () => text("Hello.") });
  const server = await world.open();
  const start = async (): Promise<string> => {
    const threadId = threadOf(await server.request("thread/start", { ephemeral: true }));
    await server.request("turn/start", { threadId, input: go });
    return threadId;
  };
  const ids = await Promise.all(Array.from({ length: 25 * runs }, start));
  const ends = await Promise.all(
    ids.map((id) => server.find((told) => isEnd(told) && told.params?.["threadId"] === id)),
  );
  expect(new Set(ends.map(({ params }) => (params as { readonly turn: Told }).turn["status"]))).toEqual(
    new Set(["completed"]),
  );
  expect(new Set(ids).size).toBe(25 * runs);
});
