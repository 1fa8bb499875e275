import { join } from "node:path";
import { expect, test } from "vitest";
import { openServerWorld, type RunningServer, type TestClient, threadOf, type Told } from "./server-world.ts";

const text = (said: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text: said }] });
const go = [{ type: "text", text: "Go" }];

async function runTurn(client: TestClient, threadId: string, own: object = {}): Promise<Told> {
  const before = client.told.length;
  await client.request("turn/start", { threadId, input: go, ...own });
  return client.find(({ method }, at) => method === "turn/completed" && at >= before);
}

const openThree = async (server: RunningServer): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (const said of ["First of all", "Second", "third"]) {
    const threadId = threadOf(await server.request("thread/start", {}));
    ids.push(threadId);
    await runTurn(server, threadId, { input: [{ type: "text", text: said }] });
  }
  return ids;
};

test("a list of threads is filtered and ordered as the client asks", async () => {
  await using world = await openServerWorld({ script: { turns: [text("1"), text("2"), text("3"), text("4")] } });
  const server = await world.open();
  const [first = "", second = "", third = ""] = await openThree(server);
  await runTurn(server, first);
  await server.request("thread/name/set", { threadId: second, name: "Alpha" });
  const list = async (query: object): Promise<readonly unknown[]> => {
    const { result } = await server.request("thread/list", query);
    return (result as { readonly data: readonly Told[] }).data.map(({ id }) => id);
  };
  expect(await list({ sortKey: "created_at" })).toEqual([third, second, first]);
  expect(await list({ sortKey: "created_at", sortDirection: "asc" })).toEqual([first, second, third]);
  const { result: byUse } = await server.request("thread/list", { sortDirection: "asc" });
  const times = (byUse as { readonly data: readonly { readonly updatedAt: number }[] }).data.map(
    ({ updatedAt }) => updatedAt,
  );
  expect(times).toEqual(times.toSorted((left, right) => left - right));
  expect(await list({ searchTerm: "second" })).toEqual([second]);
  expect(await list({ searchTerm: "alpha" })).toEqual([second]);
  expect(await list({ searchTerm: "nothing" })).toEqual([]);
  expect(await list({ modelProviders: ["other"] })).toEqual([]);
  expect(await list({ modelProviders: ["test"], excludedThreadIds: [second, third] })).toEqual([first]);
  expect(await list({ includedThreadIds: [second, third], excludedThreadIds: [third] })).toEqual([second]);
  expect(await list({ includedThreadIds: [] })).toEqual([]);
  expect(await list({ sourceKinds: ["exec"] })).toEqual([]);
  expect(await list({ sourceKinds: ["cli", "exec"] })).toHaveLength(3);
  expect(await list({ parentThreadId: first })).toEqual([]);
  expect(await list({ parentThreadId: first, sourceKinds: ["cli"] })).toEqual([]);
  const { result: page } = await server.request("thread/list", { sortKey: "created_at", limit: 2 });
  expect(await list({ sortKey: "created_at", limit: 2, cursor: page?.["nextCursor"] })).toEqual([first]);
  expect((await server.request("thread/list", { originators: ["x"] })).error).toMatchObject({
    message: expect.stringContaining("originators: only a hosted server knows") as string,
  });
});

test("a thread is resumed and forked by the path of its file, and by no other file", async () => {
  await using world = await openServerWorld({ script: { turns: [text("1"), text("2"), text("3")] } });
  const first = await world.open();
  const [open = "", wanted = ""] = await openThree(first);
  const { result } = await first.request("thread/list", { searchTerm: "second" });
  const [{ path }] = (result as { readonly data: readonly [{ readonly path: string }] }).data;
  await first.end();
  const server = await world.open();
  const thread = { id: wanted, path };
  expect((await server.request("thread/resume", { threadId: "not read", path })).result).toMatchObject({ thread });
  const fork = await server.request("thread/fork", { threadId: "", path });
  expect(fork.result).toMatchObject({ thread: { forkedFromId: wanted } });
  expect((await server.request("thread/resume", { threadId: open, path: "" })).result).toMatchObject({
    thread: { id: open },
  });
  expect((await server.request("thread/resume", { threadId: open, path })).error?.message).toContain("is open");
  for (const wrong of ["/etc/passwd", join(world.work, path.slice(path.lastIndexOf("/") + 1))])
    expect((await server.request("thread/resume", { threadId: wanted, path: wrong })).error?.message).toContain(
      `path: ${wrong} is not the file of a saved thread`,
    );
});

test("tools of a client are refused with an alternative, and an empty list of them is none", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = await world.open();
  const tool = { type: "function", name: "look", description: "", inputSchema: {} };
  const refused = await server.request("thread/start", { dynamicTools: [tool] });
  expect(refused.error).toMatchObject({ code: -32602, message: expect.stringContaining("by an MCP server") as string });
  expect((await server.request("thread/start", { dynamicTools: [] })).error).toBeUndefined();
});
