import { expect, test } from "vitest";
import { openServerWorld, runTurn, threadOf, type Told } from "./server-world.ts";

const text = (said: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text: said }] });
const run = (cmd: string): object => ({ items: [{ call: "exec_command", arguments: { cmd } }] });
const start = (task: string, more: object = {}): object => ({
  items: [{ call: "spawn_agent", arguments: { task_name: task.toLowerCase(), message: task, ...more } }],
});
const config =
  '[agents]\nenabled = true\nmax_depth = 2\n[models.gpt-5]\nprovider = "test"\nprice = { input = 2, cached_input = 0.5, output = 10 }\n';
const open = { approvalPolicy: "never", sandbox: "danger-full-access" };

type Play = Readonly<Record<string, readonly (object | (() => Promise<object>))[]>>;

/** Answers each thread by the task that it began with, step by step. */
function openWorld(play: Play): ReturnType<typeof openServerWorld> {
  const steps = new Map<unknown, number>();
  return openServerWorld(
    {
      async respond({ headers, raw }) {
        const task = Object.keys(play).find((name) => raw.toString().includes(`"text":"${name}"`)) ?? "";
        const step = steps.get(headers["thread-id"]) ?? 0;
        steps.set(headers["thread-id"], step + 1);
        const answer = play[task]?.[step] ?? text("Nothing more.");
        return (typeof answer === "function" ? await answer() : answer) as never;
      },
    },
    config,
  );
}

interface Collab {
  readonly type: string;
  readonly id: string;
  readonly tool?: string;
  readonly status?: string;
  readonly receiverThreadIds: readonly [string];
  readonly agentsStates: Readonly<Record<string, object>>;
}

/** A member of an answer. */
const readResult = <Member>({ result }: Told, name: string): Member => (result ?? {})[name] as Member;
const itemOf = ({ params }: Told): Collab => params?.["item"] as Collab;
const isCollab =
  (method: string) =>
  (told: Told): boolean =>
    told.method === method && itemOf(told).type === "collabAgentToolCall";
const any = { number: expect.any(Number) as number, text: expect.any(String) as string };

test("a sub-agent is the Codex CLI's item for it, its thread's events reach the client, and its thread can be read", async () => {
  const looked = Promise.withResolvers<object>();
  const isAsked = Promise.withResolvers<void>();
  await using world = await openWorld({
    Go: [start("Look"), text("Done.")],
    Look: [
      run("echo seen"),
      () => {
        isAsked.resolve();
        return looked.promise;
      },
    ],
  });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", open));
  const ended = runTurn(server, threadId);
  const started = itemOf(await server.find(isCollab("item/started")));
  const [childId] = started.receiverThreadIds;
  const state = { name: "look", role: null, parentThreadId: threadId, message: null, cachedTokens: any.number };
  const call = { type: "collabAgentToolCall", id: "item_0", tool: "spawnAgent", senderThreadId: threadId };
  const asked = { receiverThreadIds: [childId], prompt: "Look", model: null, reasoningEffort: null };
  const begun = { ...state, status: "running", lastAction: null, tokens: 0, costUsd: 0 };
  expect(started).toEqual({ ...call, ...asked, status: "inProgress", agentsStates: { [childId]: begun } });

  await isAsked.promise;
  const ofChild = ({ params }: Told): boolean => params?.["threadId"] === childId;
  await server.find((told) => told.method === "item/completed" && ofChild(told) && itemOf(told).type !== "userMessage");
  const used = await server.find((told) => told.method === "thread/tokenUsage/updated" && ofChild(told));
  expect(used.params?.["tokenUsage"]).toMatchObject({ costUsd: any.number, total: { totalTokens: any.number } });
  const source = {
    subAgent: {
      thread_spawn: {
        parent_thread_id: threadId,
        depth: 1,
        agent_path: null,
        agent_nickname: "look",
        agent_role: null,
      },
    },
  };
  const names = { parentThreadId: threadId, agentNickname: "look", agentRole: null, source };
  const read = async (): Promise<unknown> =>
    (await server.request("thread/read", { threadId: childId, includeTurns: true })).result?.["thread"];
  const task = { type: "userMessage", content: [{ type: "text", text: "Look" }] };
  const command = { type: "commandExecution", command: "echo seen", status: "completed" };
  const running = { status: "inProgress", items: [task, command] };
  expect(await read()).toMatchObject({ ...names, status: { type: "active" }, turns: [running] });
  const pages = await server.request("thread/turns/list", { threadId: childId });
  expect(pages.result?.["data"]).toMatchObject([{ status: "inProgress" }]);

  looked.resolve(text("Found three."));
  await ended;
  const end = { status: "completed", lastAction: "echo seen", tokens: any.number, costUsd: any.number };
  const message = expect.stringMatching(/: completed\n[^]*Found three\.$/) as string;
  const completed = {
    ...call,
    ...asked,
    status: "completed",
    agentsStates: { [childId]: { ...state, ...end, message } },
  };
  expect(itemOf(await server.find(isCollab("item/completed")))).toEqual(completed);
  await server.find((told) => told.method === "turn/completed" && ofChild(told));
  const methods = server.told
    .filter(ofChild)
    .map(({ method, params }) => [method, (params?.["item"] as Partial<Collab> | undefined)?.type]);
  const whole = (type: string): readonly unknown[] => [
    ["item/started", type],
    ["item/completed", type],
  ];
  expect(methods.filter(([method]) => !/delta$/i.test(method ?? ""))).toEqual([
    ["thread/status/changed", undefined],
    ["turn/started", undefined],
    ...whole("userMessage"),
    ["thread/tokenUsage/updated", undefined],
    ...whole("commandExecution"),
    ...whole("agentMessage"),
    ["thread/tokenUsage/updated", undefined],
    ["thread/status/changed", undefined],
    ["turn/completed", undefined],
  ]);

  expect(await read()).toMatchObject({ ...names, status: { type: "notLoaded" }, turns: [{ status: "completed" }] });
  const own = await server.request("thread/read", { threadId, includeTurns: true });
  const { turns } = readResult<{ readonly turns: readonly [{ readonly items: readonly object[] }] }>(own, "thread");
  expect(turns[0].items.find((item) => (item as Collab).type === call.type)).toEqual(completed);
  const list = async (params: object): Promise<unknown> =>
    (await server.request("thread/list", params)).result?.["data"];
  const listed = [{ id: childId, parentThreadId: threadId }];
  expect(await list({ sourceKinds: ["subAgentThreadSpawn"] })).toMatchObject(listed);
  expect(await list({ parentThreadId: threadId })).toMatchObject(listed);
  expect(await list({})).toMatchObject([{ id: threadId }]);
});

test("the item of a sub-agent has its own sub-agents, named by their parents, and the client gets their events", async () => {
  await using world = await openWorld({
    Go: [start("Work"), text("Done.")],
    Work: [start("Deep"), text("Worked.")],
    Deep: [run("echo deep"), text("Dug.")],
  });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", open));
  await runTurn(server, threadId);
  const ofThread = (id: string) => (told: Told, at: number) =>
    isCollab("item/completed")(told) && told.params?.["threadId"] === id && at >= 0;
  const top = itemOf(await server.find(ofThread(threadId)));
  const [workId] = top.receiverThreadIds;
  const below = itemOf(await server.find(ofThread(workId)));
  const [deepId] = below.receiverThreadIds;
  expect(top.agentsStates).toMatchObject({
    [workId]: { status: "completed", name: "work", parentThreadId: threadId, lastAction: "spawn_agent" },
    [deepId]: {
      status: "completed",
      name: "work / deep",
      parentThreadId: workId,
      lastAction: "echo deep",
      message: null,
    },
  });
  expect(below.agentsStates).toMatchObject({ [deepId]: { name: "deep", parentThreadId: workId } });
  await server.find(({ method, params }) => method === "turn/completed" && params?.["threadId"] === deepId);
});

test("a sub-agent in the background is one item, which ends in its turn; one that continues has its own", async () => {
  const working = Promise.withResolvers<object>();
  const send = { items: [{ call: "send_message", arguments: { target: "work", message: "Again." } }] };
  await using world = await openWorld({
    Go: [start("Work", { wait: false }), text("Begun."), send, text("Sent.")],
    Work: [() => working.promise, text("Twice.")],
  });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", open));
  await runTurn(server, threadId);
  working.resolve(text("Once."));
  await server.find(isCollab("item/completed"));
  await runTurn(server, threadId);
  const isAgain = (told: Told): boolean => isCollab("item/completed")(told) && itemOf(told).id !== "item_0";
  expect(itemOf(await server.find(isAgain))).toMatchObject({
    tool: "sendInput",
    prompt: "Again.",
    status: "completed",
  });
  const list = async (): Promise<readonly unknown[]> => {
    const listed = await server.request("thread/items/list", { threadId });
    const items = readResult<readonly { readonly item: Collab }[]>(listed, "data");
    const calls = items.filter(({ item: { type } }) => type !== "userMessage" && type !== "agentMessage");
    return calls.map(({ item: { type, tool, status } }) => [type, tool, status]);
  };
  // the end of an item between turns is saved a moment later
  await expect.poll(list).toEqual([
    ["collabAgentToolCall", "spawnAgent", "completed"],
    ["collabAgentToolCall", "sendInput", "completed"],
    ["dynamicToolCall", "send_message", "completed"],
  ]);
});

test("a start that is refused is a failed call with the reason", async () => {
  await using world = await openWorld({ Go: [start("Work", { agent_type: "nobody" }), text("Done.")] });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", open));
  await runTurn(server, threadId);
  const isStart = ({ method, params }: Told): boolean =>
    method?.startsWith("item/") === true && Reflect.get(Object(params?.["item"]), "tool") === "spawn_agent";
  expect(server.told.filter(isStart).map(({ method, params }) => [method, params?.["item"]])).toMatchObject([
    ["item/started", { type: "dynamicToolCall", status: "inProgress" }],
    ["item/completed", { type: "dynamicToolCall", status: "failed", success: false }],
  ]);
});
