import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { WebSocket } from "ws";
import { expect, test } from "vitest";
import {
  createTestClient,
  openServerWorld,
  runTurn,
  type RunningServer,
  type ServerWorld,
  type TestClient,
  threadOf,
  type Told,
} from "./server-world.ts";

const text = (said: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text: said }] });
const touch = { items: [{ call: "exec_command", arguments: { cmd: "touch made" } }] };
const patch = {
  items: [{ custom: "apply_patch", input: "*** Begin Patch\n*** Add File: new.txt\n+one\n*** End Patch\n" }],
};
const careful = { approvalPolicy: "untrusted", sandbox: "danger-full-access" };
const go = [{ type: "text", text: "Go" }];
const isEnd = ({ method }: Told): boolean => method === "turn/completed";

async function answer(client: RunningServer, method: string, result: unknown): Promise<Told> {
  const question = await client.find((message) => message.method === method);
  client.write(`${JSON.stringify({ id: question.id, result })}\n`);
  return question;
}

test("a client sees a whole turn: its start, the item with its text as it arrives, the usage, the end", async () => {
  await using world = await openServerWorld({ script: { turns: [text("Hello.")] } });
  const server = await world.open();
  const started = await server.request("thread/start", { cwd: world.work, unheardOf: 1 });
  expect(started.result).toMatchObject({ model: "gpt-5", modelProvider: "test", cwd: world.work });
  const end = await runTurn(server, threadOf(started));
  const last = { type: "agentMessage", text: "Hello." };
  expect(end.params).toMatchObject({ turn: { status: "completed", error: null, items: [last], itemsView: "summary" } });
  expect(server.told.slice(1).map(({ method }) => method ?? "answer")).toEqual([
    "answer",
    "thread/started",
    "warning",
    "answer",
    "thread/status/changed",
    "turn/started",
    "item/started",
    "item/completed",
    "item/started",
    "item/agentMessage/delta",
    "item/completed",
    "thread/tokenUsage/updated",
    "thread/status/changed",
    "turn/completed",
  ]);
  expect(await server.end()).toBe(0);
});

test.for([
  ["accept", true],
  ["decline", false],
  ["cancel", false],
  ["perhaps", false],
] as const)("a command waits for the client: %s", async ([decision, runs]) => {
  await using world = await openServerWorld({ script: { turns: [touch, text("Done.")] } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", careful));
  const turn = runTurn(server, threadId);
  const question = await answer(server, "item/commandExecution/requestApproval", { decision });
  const shown = server.told.findIndex(
    ({ method, params }) =>
      method === "item/started" && (params?.["item"] as Told | undefined)?.["type"] === "commandExecution",
  );
  expect(shown).toBeLessThan(server.told.indexOf(question));
  expect(question.params).toMatchObject({ threadId, command: "touch made", cwd: world.work });
  expect((await turn).params).toMatchObject({ turn: { status: decision === "cancel" ? "interrupted" : "completed" } });
  expect(existsSync(join(world.work, "made"))).toBe(runs);
  expect(server.told).toContainEqual({
    method: "serverRequest/resolved",
    params: { threadId, requestId: question.id },
  });
});

test("a patch is shown with its diff before it is asked about", async () => {
  await using world = await openServerWorld({ script: { turns: [patch, text("Done.")] } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", { ...careful, sandbox: "read-only" }));
  const turn = runTurn(server, threadId);
  const question = await answer(server, "item/fileChange/requestApproval", { decision: "accept" });
  const shown = server.told.find(({ params }) => params?.["item"] && (params["item"] as Told)["type"] === "fileChange");
  expect(server.told.indexOf(shown ?? question)).toBeLessThan(server.told.indexOf(question));
  const changes = [{ path: join(world.work, "new.txt"), kind: { type: "add" }, diff: "one\n" }];
  expect(shown?.params).toMatchObject({ item: { changes, status: "inProgress" } });
  await turn;
  expect(await readFile(join(world.work, "new.txt"), "utf8")).toBe("one\n");
  expect(server.told.map(({ method }) => method)).toContain("turn/diff/updated");
});

test("a turn is steered and interrupted, and the next turn runs with other settings, which clients see", async () => {
  const wait = { items: [{ call: "exec_command", arguments: { cmd: "sleep 60" } }] };
  await using world = await openServerWorld({ script: { turns: [wait, text("Here.")] } });
  const server = await world.open();
  const settings = { approvalPolicy: "never", sandbox: "danger-full-access" };
  const threadId = threadOf(await server.request("thread/start", settings));
  const { result } = await server.request("turn/start", { threadId, input: go });
  const { id: turnId } = (result ?? {})["turn"] as { readonly id: string };
  await server.find(({ params }) => (params?.["item"] as Told | undefined)?.["type"] === "commandExecution");
  const fixed = await server.request("turn/start", { threadId, input: go, model: "gpt-5-mini" });
  expect(fixed.error?.message).toContain("its model, mode and output schema cannot change");
  expect((await server.request("turn/start", { threadId, input: go })).result).toMatchObject({
    turn: { id: turnId, status: "inProgress" },
  });
  expect((await server.request("turn/steer", { threadId, expectedTurnId: "other", input: go })).error).toBeDefined();
  expect((await server.request("turn/steer", { threadId, expectedTurnId: turnId, input: go })).result).toEqual({
    turnId,
  });
  const said = server.told.flatMap(({ method, params }) => {
    const item = params?.["item"] as Told | undefined;
    return method === "item/completed" && item?.["type"] === "userMessage" ? [item["id"]] : [];
  });
  expect(said).toEqual([`user_${turnId}`, `user_${turnId}_1`, `user_${turnId}_2`]);
  expect((await server.request("turn/interrupt", { threadId, turnId })).result).toEqual({});
  expect((await server.find(isEnd)).params).toMatchObject({ turn: { id: turnId, status: "interrupted" } });
  await server.request("turn/start", { threadId, input: go, approvalPolicy: "on-request" });
  const changed = await server.find(({ method }) => method === "thread/settings/updated");
  expect(changed.params).toMatchObject({
    threadSettings: { approvalPolicy: "on-request", sandboxPolicy: { type: "dangerFullAccess" } },
  });
  const ended = await server.find(
    (message) => isEnd(message) && server.told.indexOf(message) > server.told.indexOf(changed),
  );
  expect(ended.params).toMatchObject({ turn: { status: "completed" } });
});

test("if the input ends during a turn, nothing keeps running, and another server resumes the thread", async () => {
  await using world = await openServerWorld({ script: { turns: [text("One."), touch, text("Two."), text("Three.")] } });
  const first = await world.open();
  const threadId = threadOf(await first.request("thread/start", careful));
  await runTurn(first, threadId);
  await first.request("turn/start", { threadId, input: go });
  await first.find(({ method }) => method === "item/commandExecution/requestApproval");
  expect(await first.end()).toBe(0);
  const second = await world.open();
  const resumed = await second.request("thread/resume", { threadId });
  expect(resumed.result?.["thread"]).toMatchObject({
    id: threadId,
    preview: "Go",
    turns: [{ status: "completed" }, { status: "interrupted" }],
  });
  expect(second.told.slice(1).map(({ method }) => method ?? "answer")).toEqual(["thread/status/changed", "answer"]);
  expect((await runTurn(second, threadId)).params).toMatchObject({ turn: { status: "completed" } });
  const { turns } = (resumed.result ?? {})["thread"] as { readonly turns: readonly { readonly id: string }[] };
  const fork = await second.request("thread/fork", { threadId, lastTurnId: turns[0]?.id });
  expect(fork.result?.["thread"]).toMatchObject({ forkedFromId: threadId, turns: [{ items: [{}, { text: "One." }] }] });
  expect((await runTurn(second, threadOf(fork))).params).toMatchObject({ turn: { status: "completed" } });
  for (const wrong of [{ cursor: "next" }, { cursor: "-1" }])
    expect((await second.request("thread/list", wrong)).error).toMatchObject({ code: -32602 });
  const stranger = await second.request("thread/fork", { threadId, lastTurnId: "other" });
  expect(stranger.error).toMatchObject({ code: -32602, message: expect.stringContaining("no turn other") as string });
  const page = await second.request("thread/list", { limit: 1, cwd: world.work });
  expect(page.result).toMatchObject({ data: [{ id: threadOf(fork) }], nextCursor: "1" });
  expect((await second.request("thread/archive", { threadId })).result).toEqual({});
  expect((await second.request("thread/list", { archived: true })).result?.["data"]).toMatchObject([{ id: threadId }]);
});

test("an error goes to the client that caused it, names the place of the fault, and has no other effect", async () => {
  await using world = await openServerWorld({ script: { turns: [text("Hello.")] } });
  const server = world.start();
  expect((await server.request("thread/list")).error).toMatchObject({ code: -32002 });
  const hello = { clientInfo: { name: "test", version: "1" } };
  expect((await server.request("initialize", hello)).result).toMatchObject({ platformFamily: "unix" });
  expect((await server.request("initialize", hello)).error).toMatchObject({ code: -32600 });
  expect((await server.request("thread/none")).error).toMatchObject({ code: -32601 });
  const wrong = await server.request("turn/start", { threadId: "t", input: [{ type: "text" }] });
  expect(wrong.error).toMatchObject({ code: -32602, message: expect.stringContaining("input[0].text") as string });
  const empty = await server.request("turn/start", { threadId: "t", input: [] });
  expect(empty.error).toMatchObject({ code: -32602, message: expect.stringContaining("input: ") as string });
  expect((await server.request("turn/start", { threadId: "t", input: go })).error?.message).toContain(
    "thread t is not open",
  );
  expect((await server.request("thread/start", { model: 1 })).error?.message).toContain("model: ");
  const nowhere = { cwd: "/sys/nonexistent" };
  const missing = { code: -32602, message: "cwd: the working folder /sys/nonexistent does not exist." };
  expect((await server.request("thread/start", nowhere)).error).toEqual(missing);
  for (const line of ["{", "[]", "{}", '{"id":{}}', '{"id":7,"result":{}}']) server.write(`${line}\n`);
  await server.find(({ method }) => method === "warning");
  expect(server.told.filter(({ id }) => (id as unknown) === null).map(({ error }) => error?.code)).toEqual([
    -32700, -32600, -32600, -32600,
  ]);
  const threadId = threadOf(await server.request("thread/start", {}));
  expect((await server.request("turn/start", { threadId, input: go, ...nowhere })).error).toEqual(missing);
  const dull = await server.request("turn/start", { threadId, input: go, effort: "dull" });
  const taken = 'gpt-5 does not support effort "dull", only minimal, low, medium, high.';
  expect(dull.error).toEqual({ code: -32602, message: `effort: ${taken}` });
  const set = await server.request("thread/start", { config: { model_reasoning_effort: "dull" } });
  expect(set.error?.message).toBe(`-c: model_reasoning_effort: ${taken}`);
  expect((await server.request("thread/archive", { threadId })).error?.message).toContain("There is no thread");
  expect((await server.request("thread/delete", { threadId })).error?.message).toContain("There is no thread");
  expect((await runTurn(server, threadId)).params).toMatchObject({ turn: { status: "completed" } });
});

async function openTwoClients(world: ServerWorld): Promise<readonly [TestClient, TestClient]> {
  const path = join(world.home, "server.sock");
  const server = world.start({ listen: `unix://${path}` });
  await expect.poll(() => server.stderr()).toContain("listening");
  const open = async (): Promise<TestClient> => {
    const socket = createConnection(path);
    const client = createTestClient({ input: socket, write: (line) => void socket.write(line) });
    await client.request("initialize", { clientInfo: { name: "test", version: "1" } });
    return client;
  };
  return [await open(), await open()];
}

test("of two clients that start a turn at once one is refused, and its settings do not count", async () => {
  await using world = await openServerWorld({ script: { turns: [{ ...text("Done."), delayMs: 60_000 }] } });
  const [one, two] = await openTwoClients(world);
  const threadId = threadOf(await one.request("thread/start"));
  await two.request("thread/resume", { threadId });
  const policies = ["on-failure", "untrusted"];
  const answers = await Promise.all(
    [one, two].map((client, at) =>
      client.request("turn/start", { threadId, input: go, approvalPolicy: policies[at], model: "gpt-5-codex" }),
    ),
  );
  const refused = answers.flatMap(({ error }) => error?.message ?? []);
  expect(refused).toEqual([expect.stringContaining("A turn is running")]);
  const { result } = await one.request("thread/resume", { threadId });
  expect(result?.["approvalPolicy"]).toBe(policies[answers.findIndex(({ error }) => error === undefined)]);
});

test("two clients of a socket share a thread: both get its events, and it stays open while one of them is connected", async () => {
  await using world = await openServerWorld({ script: { turns: [touch, text("Done.")] } });
  const [one, two] = await openTwoClients(world);
  const threadId = threadOf(await one.request("thread/start", careful));
  await one.request("turn/start", { threadId, input: go });
  await one.find(({ method }) => method === "item/commandExecution/requestApproval");
  const joined = await two.request("thread/resume", { threadId });
  expect(joined.result?.["thread"]).toMatchObject({ id: threadId, status: { type: "active" } });
  one.write(`${JSON.stringify({ id: 0, result: { decision: "accept" } })}\n`);
  await Promise.all([one.find(isEnd), two.find(isEnd)]);
  expect((await two.request("thread/unsubscribe", { threadId })).result).toEqual({ status: "unsubscribed" });
  expect((await one.request("thread/loaded/list")).result).toEqual({ data: [threadId], nextCursor: null });
  expect(existsSync(join(world.work, "made"))).toBe(true);
});

test("a web socket needs the token, and no page of a browser gets in; each frame is a message", async () => {
  await using world = await openServerWorld({ script: { turns: [text("Hello.")] } });
  const server = world.start({ listen: "ws://127.0.0.1:0" });
  await expect.poll(() => server.stderr()).toContain("ws://");
  const [url = ""] = /ws:\/\/[\d.:]+/.exec(server.stderr()) ?? [];
  const authorization = "Bearer open-sesame";
  const refused = [{}, { authorization: "Bearer no" }, { authorization, origin: "http://page" }].map((headers) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    new WebSocket(url, { headers }).on("error", ({ message }) => resolve(message)).on("open", () => resolve("open"));
    return promise;
  });
  const [nothing, wrong, page] = await Promise.all(refused);
  expect([nothing, wrong]).toEqual([expect.stringContaining("401"), expect.stringContaining("401")]);
  expect(page).toContain("403");
  const socket = new WebSocket(url, { headers: { authorization } });
  const [frames, input]: [string[], PassThrough] = [[], new PassThrough()];
  socket.on("message", (frame: Buffer) => {
    frames.push(frame.toString());
    input.write(`${frame.toString()}\n`);
  });
  await once(socket, "open");
  const client = createTestClient({ input, write: (line) => socket.send(line.trimEnd()) });
  await client.request("initialize", { clientInfo: { name: "test", version: "1" } });
  const threadId = threadOf(await client.request("thread/start", {}));
  expect((await runTurn(client, threadId)).params).toMatchObject({ turn: { status: "completed" } });
  expect(frames.map((frame) => JSON.parse(frame) as unknown)).toEqual(client.told);
  socket.terminate();
  expect(await server.end()).toBe(143);
});

test.for(["http://x", "ws://0.0.0.0:1", "ws://example.com:80"])("%s is not listened at", async (listen) => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = world.start({ listen });
  expect(await server.ended).toBe(2);
  expect(server.stderr()).toContain("is expected");
});

test("what an editor asks besides is answered", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = await world.open();
  const ask = async (method: string, params?: unknown): Promise<unknown> =>
    (await server.request(method, params)).result;
  expect(await ask("model/list")).toMatchObject({ data: [{ id: "gpt-5", isDefault: true }] });
  expect(await ask("account/read")).toMatchObject({ account: null });
  expect(await ask("config/read", {})).toMatchObject({ config: { model: "gpt-5", model_provider: "test" } });
  expect(
    await ask("config/value/write", { keyPath: "model", value: "gpt-5-codex", mergeStrategy: "replace" }),
  ).toMatchObject({ status: "ok" });
  expect(await ask("config/read", {})).toMatchObject({ config: { model: "gpt-5-codex" } });
  expect(await ask("skills/list", {})).toMatchObject({ data: [{ cwd: world.work, skills: [], errors: [] }] });
  expect(await ask("mcpServerStatus/list", {})).toEqual({ data: [], nextCursor: null });
  expect(await ask("permissionProfile/list")).toMatchObject({ nextCursor: null });
  const command = {
    command: ["sh", "-c", "echo hi > file.txt; echo out"],
    sandboxPolicy: { type: "dangerFullAccess" },
  };
  expect(await ask("command/exec", command)).toEqual({ exitCode: 0, stdout: "out\n", stderr: "" });
  expect(await ask("fuzzyFileSearch", { query: "ftxt", roots: [world.work] })).toMatchObject({
    files: [{ path: "file.txt" }],
  });
});

test("a read-only thread warns how to let the model edit, unless a client was asked", async () => {
  for (const approvalPolicy of ["never", "on-request"]) {
    await using world = await openServerWorld({ script: { turns: [patch, text("Done.")] } });
    const server = await world.open();
    const threadId = threadOf(await server.request("thread/start", { approvalPolicy, sandbox: "read-only" }));
    const turn = runTurn(server, threadId);
    if (approvalPolicy === "on-request")
      await answer(server, "item/fileChange/requestApproval", { decision: "decline" });
    await turn;
    const warnings = server.told.filter(({ params }) =>
      String(params?.["message"]).startsWith("This thread is read-only"),
    );
    expect(warnings).toHaveLength(approvalPolicy === "never" ? 1 : 0);
  }
});

// the words of codex 0.169 for the same answers
test.for([
  [503, "server_is_overloaded", "serverOverloaded"],
  [503, "slow_down", "rateLimitExceeded"],
  [500, "server_error", "internalServerError"],
  [404, "model_not_found", "modelNotFound"],
] as const)("a turn that fails with %d %s has the error info %s", async ([status, code, codexErrorInfo]) => {
  const failure = { status, body: { error: { code, message: "No." } } };
  await using world = await openServerWorld({ script: { turns: [failure] } });
  const server = await world.open({ config: ["model_providers.test.request_max_retries=0"] });
  const threadId = threadOf(await server.request("thread/start", {}));
  await server.request("turn/start", { threadId, input: [{ type: "text", text: "Go" }] });
  const { params } = await server.find(({ method }) => method === "error");
  expect(params).toMatchObject({ error: { codexErrorInfo, additionalDetails: code }, willRetry: false });
});
