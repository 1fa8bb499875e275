import { expect, test } from "vitest";
import { openServerWorld, runTurn, type TestClient, threadOf, type Told } from "./server-world.ts";

const text = (said: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text: said }] });

interface Turn {
  readonly id: string;
  readonly items: readonly Told[];
}
async function runOne(server: TestClient, threadId: string): Promise<string> {
  const { params = {} } = await runTurn(server, threadId);
  return (params["turn"] as Turn).id;
}

const turnsOf = ({ result }: Told): readonly Turn[] => result?.["data"] as readonly Turn[];

test("turns are listed in pages, the newest first or last, with as many items as a client wants", async () => {
  const plan = { call: "update_plan", arguments: { plan: [{ step: "Look", status: "completed" }] } };
  const turns = [text("One."), { items: [{ text: "Let me see." }, plan] }, text("Two."), text("Three.")] as never;
  await using world = await openServerWorld({ script: { turns } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start"));
  const list = (params: object = {}): Promise<Told> => server.request("thread/turns/list", { threadId, ...params });
  expect((await list()).result).toEqual({ data: [], nextCursor: null, backwardsCursor: null });
  const ids: string[] = [];
  for (const _ of [1, 2, 3]) ids.push(await runOne(server, threadId));

  const newest = await list({ limit: 2 });
  expect(turnsOf(newest).map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  expect(turnsOf(newest)[1]).toMatchObject({
    itemsView: "summary",
    items: [{ type: "userMessage" }, { type: "agentMessage", text: "Two." }],
  });
  const rest = await list({ cursor: newest.result?.["nextCursor"] });
  expect(turnsOf(rest).map(({ id }) => id)).toEqual([ids[0]]);
  expect(rest.result).toMatchObject({ nextCursor: null });
  const back = await list({ cursor: rest.result?.["backwardsCursor"], sortDirection: "asc", itemsView: "full" });
  expect(turnsOf(back).map(({ id }) => id)).toEqual(ids);
  expect(turnsOf(back)[1]?.items.map(({ type }) => type)).toContain("dynamicToolCall");
  expect(turnsOf(await list({ itemsView: "notLoaded" })).map(({ items }) => items)).toEqual([[], [], []]);
  expect((await list({ cursor: "x" })).error).toMatchObject({ code: -32602 });

  await server.request("thread/unsubscribe", { threadId });
  expect(turnsOf(await list()).map(({ id }) => id)).toEqual(ids.toReversed());
  expect((await server.request("thread/turns/list", { threadId: "none" })).error).toBeDefined();
});

test("the items of a thread or of one turn are listed in pages, from a cursor or from behind an item", async () => {
  await using world = await openServerWorld({ script: { turns: [text("One."), text("Two.")] } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", { ephemeral: true }));
  for (const _ of [1, 2]) await runTurn(server, threadId);
  const list = async (params: object = {}): Promise<readonly Told[]> =>
    (await server.request("thread/items/list", { threadId, ...params })).result?.["data"] as readonly Told[];
  const all = await list();
  expect(all).toMatchObject([
    { item: { type: "userMessage" } },
    { item: { type: "agentMessage", text: "One." } },
    { item: { type: "userMessage" } },
    { item: { type: "agentMessage", text: "Two." } },
  ]);
  const turnId = all[2]?.["turnId"];
  expect(await list({ turnId })).toEqual(all.slice(2));
  expect(await list({ sortDirection: "desc", limit: 1 })).toEqual(all.slice(3));
  const { id: itemId } = (all[2]?.["item"] ?? {}) as Told;
  expect(await list({ turnId, cursor: { type: "item", itemId } })).toEqual(all.slice(3));
  expect(await list({ turnId, cursor: { type: "item", itemId }, sortDirection: "desc" })).toEqual([]);
  const faults = [
    { turnId: "none" },
    { cursor: { type: "item", itemId } },
    { turnId, cursor: { type: "item", itemId: "none" } },
  ];
  for (const wrong of faults)
    expect((await server.request("thread/items/list", { threadId, ...wrong })).error).toMatchObject({ code: -32602 });
});

test("a running turn is in progress wherever its thread is read", async () => {
  await using world = await openServerWorld({ script: { turns: [{ ...text("Late."), delayMs: 60_000 }] } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start"));
  await server.request("turn/start", { threadId, input: [{ type: "text", text: "Go" }] });
  await expect.poll(() => world.model.requests.length).toBe(1);
  expect(turnsOf(await server.request("thread/turns/list", { threadId }))).toMatchObject([{ status: "inProgress" }]);
  const read = await server.request("thread/read", { threadId, includeTurns: true });
  expect(read.result).toMatchObject({ thread: { turns: [{ status: "inProgress" }] } });
});

test("a revert removes a turn and all later ones; its cursors lead back through the turns that are left", async () => {
  const turns = [text("One."), text("Two."), text("Three."), { ...text("Other."), newEpoch: true }];
  await using world = await openServerWorld({ script: { turns } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start"));
  const ids: string[] = [];
  for (const _ of [1, 2, 3]) ids.push(await runOne(server, threadId));
  const missing = await server.request("thread/revert", { threadId, beforeTurnId: "none" });
  expect(missing.error).toEqual({ code: -32602, message: `beforeTurnId: the thread ${threadId} has no turn none.` });
  const { result } = await server.request("thread/revert", { threadId, beforeTurnId: ids[1] });
  expect(result).toMatchObject({ thread: { id: threadId, turns: [] }, turnsBackwardsCursor: "0" });
  await server.find(({ method }) => method === "thread/reverted");
  const cursor = result?.["turnsBackwardsCursor"];
  const left = await server.request("thread/turns/list", { threadId, cursor, sortDirection: "desc" });
  expect(turnsOf(left).map(({ id }) => id)).toEqual([ids[0]]);
  await runTurn(server, threadId);
  const inputs = world.model.requests.map(({ body }) => (body as { readonly input: readonly unknown[] }).input);
  expect(inputs[3]).toEqual(inputs[1]);
  const all = await server.request("thread/revert", { threadId, beforeTurnId: ids[0] });
  expect(all.result).toMatchObject({ turnsBackwardsCursor: null, itemsBackwardsCursor: null });
});

test("messages that a client injects are in front of the next turn's input; other items are refused", async () => {
  await using world = await openServerWorld({ script: { turns: [text("One.")] } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start"));
  const inject = (item: object): Promise<Told> => server.request("thread/inject_items", { threadId, items: [item] });
  const content = [{ type: "input_text", text: "A fact." }];
  expect((await inject({ type: "message", role: "user", content })).result).toEqual({});
  for (const item of [
    { type: "message", role: "developer", content },
    { type: "function_call", name: "x" },
    { type: "message", role: "user", content: [{ type: "input_image", image_url: "https://example.com/a.png" }] },
  ])
    expect((await inject(item)).error).toMatchObject({ code: -32602 });
  await runTurn(server, threadId);
  const said = JSON.stringify(world.model.requests[0]?.input);
  expect(said.indexOf("A fact.")).toBeGreaterThan(-1);
  expect(said.indexOf("A fact.")).toBeLessThan(said.lastIndexOf("Go"));
});
