import { createConnection, type Socket } from "node:net";
import { join } from "node:path";
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

test("100,000 messages are answered one by one; what is too much at once is refused; nobody else notices", async () => {
  await using world = await openServerWorld({ script: { turns: [text("Hello.")] } });
  const [flooding, other] = await connect(world, 2);
  if (flooding === undefined || other === undefined) throw new Error("two clients");
  const lines = Array.from({ length: 100_000 }, (_, id) => `{"id":${id},"method":"thread/list/none"}\n`);
  for (let at = 0; at < lines.length; at += 10_000) flooding.write(lines.slice(at, at + 10_000).join(""));
  const threadId = threadOf(await other.request("thread/start", {}));
  await other.request("turn/start", { threadId, input: go });
  expect((await other.find(isEnd)).params).toMatchObject({ turn: { status: "completed" } });
  const last = await flooding.find(({ id }) => id === 99_999);
  expect(last.error).toMatchObject({ code: -32601 });
  expect(flooding.told).toHaveLength(100_001);
});

test("a client that reads nothing holds up its own turn, with little kept for it, and no other client's", async () => {
  const long = { items: [{ text: "word ".repeat(400_000) }] };
  await using world = await openServerWorld({
    respond: ({ body }) => (JSON.stringify(body).includes("Long") ? long : text("Hi.")),
  });
  const [slow, other] = await connect(world, 2);
  if (slow === undefined || other === undefined) throw new Error("two clients");
  const threadId = threadOf(await slow.request("thread/start", {}));
  slow.socket.pause();
  slow.write(
    `${JSON.stringify({ id: 1, method: "turn/start", params: { threadId, input: [{ type: "text", text: "Long" }] } })}\n`,
  );
  const own = threadOf(await other.request("thread/start", {}));
  await other.request("turn/start", { threadId: own, input: go });
  expect((await other.find(isEnd)).params).toMatchObject({ threadId: own, turn: { status: "completed" } });
  slow.socket.resume();
  expect((await slow.find(isEnd)).params).toMatchObject({ threadId, turn: { status: "completed" } });
});

test("a client that dies leaves nothing running that only it wanted, and a thread that another one goes on with", async () => {
  const wait = { items: [{ call: "shell_command", arguments: { command: "sleep 60" } }] };
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

test("100 threads run at once, and each is told of by itself", async () => {
  await using world = await openServerWorld({ respond: () => text("Hello.") });
  const server = await world.open();
  const start = async (): Promise<string> => {
    const threadId = threadOf(await server.request("thread/start", { ephemeral: true }));
    await server.request("turn/start", { threadId, input: go });
    return threadId;
  };
  const ids = await Promise.all(Array.from({ length: 100 }, start));
  const ends = await Promise.all(
    ids.map((id) => server.find((told) => isEnd(told) && told.params?.["threadId"] === id)),
  );
  expect(new Set(ends.map(({ params }) => (params?.["turn"] as Told)["status"]))).toEqual(new Set(["completed"]));
  expect(new Set(ids).size).toBe(100);
});
