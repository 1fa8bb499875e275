import { execFileSync } from "node:child_process";
import { copyFile, link, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openServerWorld, runTurn, type RunningServer, type TestClient, threadOf, type Told } from "./server-world.ts";

const text = (said: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text: said }] });
const go = [{ type: "text", text: "Go" }];

const listNames = async (server: RunningServer, query: object = {}): Promise<unknown> =>
  ((await server.request("thread/list", query)).result as { readonly data: readonly Told[] }).data.map(
    ({ name }) => name,
  );

test("a name that a client sets is saved, for open threads and closed ones, and all clients of the thread see it", async () => {
  await using world = await openServerWorld({ script: { turns: [text("One."), text("Two.")] } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", {}));
  expect((await server.request("thread/name/set", { threadId, name: "Before its first turn" })).result).toEqual({});
  await runTurn(server, threadId);
  expect(await listNames(server)).toEqual(["Before its first turn"]);
  await server.request("thread/name/set", { threadId, name: " Tests " });
  await server.find(({ params }) => params?.["threadName"] === "Tests");
  expect((await server.request("thread/read", { threadId })).result).toMatchObject({ thread: { name: "Tests" } });
  await server.end();
  const second = await world.open();
  expect(await listNames(second)).toEqual(["Tests"]);
  const { result: listed } = await second.request("thread/list", {});
  const [{ updatedAt }] = (listed as { readonly data: readonly [{ readonly updatedAt: number }] }).data;
  const thread = { name: "Tests", updatedAt };
  expect((await second.request("thread/read", { threadId })).result).toMatchObject({ thread });
  await second.request("thread/name/set", { threadId, name: "Closed" });
  await second.find(({ params }) => params?.["threadName"] === "Closed");
  const resumed = await second.request("thread/resume", { threadId });
  expect(resumed.result).toMatchObject({ thread: { id: threadId, name: "Closed", preview: "Go" } });
  const fork = await second.request("thread/fork", { threadId });
  expect(fork.result).toMatchObject({ thread: { forkedFromId: threadId, name: null } });
  expect((await second.request("thread/name/set", { threadId: "0000", name: "x" })).error?.message).toContain("0000");
});

test("a thread is archived, restored and deleted, and clients see each step", async () => {
  await using world = await openServerWorld({ script: { turns: [text("One.")] } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", {}));
  await runTurn(server, threadId);
  for (const [method, told] of [
    ["thread/archive", "thread/archived"],
    ["thread/unarchive", "thread/unarchived"],
    ["thread/delete", "thread/deleted"],
  ] as const) {
    expect((await server.request(method, { threadId })).error).toBeUndefined();
    expect((await server.find((message) => message.method === told)).params).toEqual({ threadId });
    expect(await listNames(server, { archived: true })).toEqual(method === "thread/archive" ? [null] : []);
    expect(await listNames(server)).toEqual(method === "thread/unarchive" ? [null] : []);
  }
  expect((await server.request("thread/resume", { threadId })).error?.message).toContain(threadId);
  expect((await server.request("thread/archive", { threadId })).error?.message).toContain(threadId);
});

test("a thread is compacted as a turn of its own", async () => {
  const long = text("A long answer. ".repeat(4000));
  await using world = await openServerWorld({
    script: { turns: [long, text("A summary."), { ...text("Two."), newEpoch: true }] },
  });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", {}));
  await runTurn(server, threadId);
  const before = server.told.length;
  expect((await server.request("thread/compact/start", { threadId })).result).toEqual({});
  await server.find(({ method }, at) => method === "turn/completed" && at >= before);
  const items = server.told.slice(before).flatMap(({ method, params }) => {
    const item = params?.["item"] as Told | undefined;
    return item === undefined ? [] : [`${method} ${String(item["type"])}`];
  });
  expect(items).toEqual(["item/started contextCompaction", "item/completed contextCompaction"]);
  expect((await runTurn(server, threadId)).params).toMatchObject({ turn: { status: "completed" } });
});

const finding = { title: "It divides by 0", body: "With n = 0.", priority: 1, file: "a.ts", line: 3 };
const found = text(JSON.stringify({ findings: [finding], summary: "Not yet." }));

test.for(["inline", "detached"])(
  "a review that is %s only reads, and tells what it found as text",
  async (delivery) => {
    await using world = await openServerWorld(
      { script: { turns: [text("Hello."), found] } },
      'sandbox_mode = "workspace-write"',
    );
    execFileSync("git", ["init", "-q"], { cwd: world.work });
    const server = await world.open();
    const threadId = threadOf(await server.request("thread/start", {}));
    await runTurn(server, threadId);
    const before = server.told.length;
    const unknown = { threadId, delivery, target: { type: "baseBranch", branch: "nowhere" } };
    const refused = await server.request("review/start", unknown);
    expect(refused.error?.message).toBe("target: There is no branch nowhere here.");
    const target = { type: "uncommittedChanges" };
    const { result } = await server.request("review/start", { threadId, delivery, target });
    expect(result?.["reviewThreadId"] === threadId).toBe(delivery === "inline");
    const end = await server.find(({ method }, at) => method === "turn/completed" && at >= before);
    expect(end.params).toMatchObject({ threadId: result?.["reviewThreadId"], turn: { status: "completed" } });
    const items = server.told
      .slice(before)
      .flatMap(({ method, params }) => (method === "item/completed" ? [params?.["item"]] : []));
    const review = "**P1 It divides by 0**\n`a.ts:3`\n\nWith n = 0.\n\nNot yet.";
    expect(items).toMatchObject([
      { type: "enteredReviewMode", review: "the uncommitted changes" },
      { type: "exitedReviewMode", review },
      { type: "agentMessage", text: review },
    ]);
    expect(server.told.slice(before).map(({ method }) => method)).not.toContain("item/agentMessage/delta");
    const request = world.model.requests.at(-1);
    expect(JSON.stringify(request?.body)).toContain("read-only");
  },
);

test("a review in prose is shown as it is, and its turn completes with one request", async () => {
  await using world = await openServerWorld({ script: { turns: [text("It looks good to me.")] } });
  execFileSync("git", ["init", "-q"], { cwd: world.work });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", {}));
  await server.request("review/start", { threadId, target: { type: "uncommittedChanges" } });
  const end = await server.find(({ method }) => method === "turn/completed");
  expect(end.params).toMatchObject({ turn: { status: "completed", error: null } });
  expect(world.model.requests).toHaveLength(1);
  const items = server.told.flatMap(({ method, params }) => (method === "item/completed" ? [params?.["item"]] : []));
  expect(items.at(-1)).toMatchObject({ type: "exitedReviewMode", review: "It looks good to me." });
  expect(items.filter((item) => (item as Told)["type"] === "exitedReviewMode")).toHaveLength(1);
});

test("the models of the config's provider are listed, that of the config first", async () => {
  const catalogue = `[models."gpt-5-codex-next"]\nprovider = "test"\nefforts = ["low", "high"]\n`;
  await using world = await openServerWorld({ script: { turns: [] } }, `model_reasoning_effort = "high"\n${catalogue}`);
  const server = await world.open();
  expect((await server.request("model/list")).result).toMatchObject({
    data: [
      { id: "gpt-5", isDefault: true, defaultReasoningEffort: "high", inputModalities: ["text", "image"] },
      { id: "gpt-5-codex-next", isDefault: false, supportedReasoningEfforts: [{ reasoningEffort: "low" }, {}] },
    ],
    nextCursor: null,
  });
});

test("a thread resumes with the effort that it sent last, in another process too", async () => {
  await using world = await openServerWorld({ script: { turns: [text("One."), text("Two.")] } });
  const server = await world.open();
  const started = await server.request("thread/start", {});
  expect(started.result).toMatchObject({ reasoningEffort: "medium" });
  const threadId = threadOf(started);
  const input = [{ type: "text", text: "Go" }];
  await server.request("turn/start", { threadId, input, effort: "high" });
  await server.find(({ method }) => method === "turn/completed");
  await server.end();
  const later = await world.open();
  expect((await later.request("thread/resume", { threadId })).result).toMatchObject({ reasoningEffort: "high" });
  await runTurn(later, threadId);
  expect(world.model.requests.map(({ body }) => body["reasoning"])).toMatchObject([
    { effort: "high" },
    { effort: "high" },
  ]);
});

test("a turn with another model switches the thread, which tells its clients what that costs; an effort that the model lacks changes nothing", async () => {
  const script = { turns: [text("One."), { ...text("Two."), newEpoch: true }, text("Three.")] };
  const catalogue = `[models."next"]\nprovider = "test"\nefforts = ["low", "high"]\n`;
  await using world = await openServerWorld({ script }, catalogue);
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start"));
  await runTurn(server, threadId);
  const wrong = { threadId, input: go, model: "next", effort: "minimal" };
  expect((await server.request("turn/start", wrong)).error?.message).toContain("effort: next does not support");
  await runTurn(server, threadId, { model: "next", effort: "low" });
  await runTurn(server, threadId);
  const sent = world.model.requests.map(({ body }) => [body["model"], (body["reasoning"] as Told)["effort"]]);
  expect(sent).toEqual([
    ["gpt-5", "medium"],
    ["next", "low"],
    ["next", "low"],
  ]);
  const told = server.told.filter(({ method }) => ["warning", "thread/settings/updated"].includes(method ?? ""));
  expect(told.map(({ params }) => params)).toMatchObject([
    { threadId, message: expect.stringContaining("from gpt-5 of test to next of test") as string },
    { threadId, threadSettings: { model: "next", effort: "low" } },
  ]);
});

test("a rollback removes turns: the thread continues under its id with exactly the bytes that it sent before those turns", async () => {
  const turns = [text("One."), text("Two."), text("Three."), { ...text("Other."), newEpoch: true }, text("More.")];
  await using world = await openServerWorld({ script: { turns } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", { approvalPolicy: "never" }));
  const rollBack = (numTurns: number): Promise<Told> => server.request("thread/rollback", { threadId, numTurns });
  const ids = ({ result }: Told): readonly unknown[] =>
    (result as { readonly thread: { readonly turns: readonly Told[] } }).thread.turns.map(({ id }) => id);
  expect(ids(await rollBack(1))).toEqual([]); // no turns yet
  const [first, second, third] = [
    await turnIdOf(server, threadId),
    await turnIdOf(server, threadId),
    await turnIdOf(server, threadId),
  ];
  const back = await rollBack(2);
  expect(back.result).toMatchObject({ thread: { id: threadId, preview: "Go", status: { type: "idle" } } });
  expect(ids(back)).toEqual([first]);
  const other = await turnIdOf(server, threadId);
  const bodies = world.model.requests.map(({ body }) => (body as { readonly input: readonly unknown[] }).input);
  expect(bodies[3]).toEqual(bodies[1]);
  expect(ids(await server.request("thread/read", { threadId, includeTurns: true }))).toEqual([first, other]);
  expect(ids(await server.request("thread/fork", { threadId, lastTurnId: other }))).toEqual([first, other]);
  for (const lastTurnId of [second, third])
    expect((await server.request("thread/fork", { threadId, lastTurnId })).error?.message).toContain(lastTurnId);
  expect((await rollBack(0)).error).toMatchObject({ code: -32602 });
  await server.end();
  const later = await world.open();
  expect(ids(await later.request("thread/resume", { threadId }))).toEqual([first, other]);
  expect(ids(await later.request("thread/rollback", { threadId, numTurns: 9 }))).toEqual([]);
});

async function turnIdOf(server: TestClient, threadId: string): Promise<string> {
  const { params = {} } = await runTurn(server, threadId);
  return (params["turn"] as { readonly id: string }).id;
}

test("an unsaved thread, or one in which a turn runs, refuses a rollback", async () => {
  await using world = await openServerWorld({
    script: { turns: [text("One."), { ...text("Two."), delayMs: 60_000 }] },
  });
  const server = await world.open();
  const kept = threadOf(await server.request("thread/start", {}));
  const passing = threadOf(await server.request("thread/start", { ephemeral: true }));
  await runTurn(server, passing);
  expect((await server.request("thread/rollback", { threadId: passing, numTurns: 1 })).error?.message).toContain(
    "saved",
  );
  await server.request("turn/start", { threadId: kept, input: go });
  expect((await server.request("thread/rollback", { threadId: kept, numTurns: 1 })).error?.message).toContain("A turn");
});

test("the end of a command that outlived its turn is reported at once, once, as part of that turn; so is an end that the closing thread causes", async () => {
  const start = (name: string): object => ({
    call: "exec_command",
    arguments: { cmd: `read -r line <${name}; exit 3`, login: false, yield_time_ms: 0 },
  });
  const turns = [{ items: [start("one"), start("two")] }, text("Left running.")] as never;
  const config = 'shell_tool = "exec_command"\nsandbox_mode = "danger-full-access"\napproval_policy = "never"\n';
  await using world = await openServerWorld({ script: { turns } }, config);
  execFileSync("mkfifo", ["one", "two"], { cwd: world.work });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", { cwd: world.work }));
  const ended = await runTurn(server, threadId);
  const turnId = (ended.params as { readonly turn: { readonly id: string } }).turn.id;
  const behind = server.told.length;
  await writeFile(join(world.work, "one"), "go\n");
  const isEnd = ({ method }: Told): boolean => method === "item/completed";
  await server.find((message, at) => isEnd(message) && at >= behind);
  await server.request("thread/archive", { threadId });
  const told = server.told
    .slice(behind)
    .filter(({ method }) => method === "item/completed" || method === "item/started");
  const item = { type: "commandExecution", status: "failed" };
  expect(told).toMatchObject([
    {
      params: {
        threadId,
        turnId,
        item: { ...item, id: "item_0", command: expect.stringContaining("<one"), exitCode: 3 },
      },
    },
    {
      params: {
        threadId,
        turnId,
        item: { ...item, id: "item_1", command: expect.stringContaining("<two"), exitCode: null },
      },
    },
  ]);
  expect(told.map(({ method }) => method)).toEqual(["item/completed", "item/completed"]);
});

test("a command that is left running is in progress in a thread that is read, in the turn that started it", async () => {
  const cmd = "sleep 600";
  const call = { call: "exec_command", arguments: { cmd, login: false, yield_time_ms: 0 } };
  const turns = [{ items: [call] }, text("Started."), text("Done.")] as never;
  const config = 'sandbox_mode = "danger-full-access"\napproval_policy = "never"\n';
  await using world = await openServerWorld({ script: { turns } }, config);
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", { cwd: world.work }));
  await runTurn(server, threadId);
  await runTurn(server, threadId);
  const { result } = await server.request("thread/read", { threadId, includeTurns: true });
  const { thread } = result as { readonly thread: { readonly turns: readonly { readonly items: readonly Told[] }[] } };
  const commands = thread.turns.map(({ items }) => items.filter(({ type }) => type === "commandExecution"));
  expect(commands).toMatchObject([
    [{ command: cmd, status: "inProgress", aggregatedOutput: "", exitCode: null, durationMs: null }],
    [],
  ]);
});

test("a read thread shows the result of each call: its exit code, a denial, a failure; an older thread shows only the outputs", async () => {
  const run = (command: string): object => ({ call: "exec_command", arguments: { cmd: command, login: false } });
  const plan = { call: "update_plan", arguments: { plan: [{ step: "Look", status: "completed" }] } };
  const calls = [run("true"), run("exit 3"), run("git push"), { call: "apply_patch", input: "no patch" }, plan];
  const config = 'sandbox_mode = "danger-full-access"\napproval_policy = "never"\n';
  const turns = [{ items: [...calls, { call: "nothing", arguments: {} }] }, text("Done.")] as never;
  await using world = await openServerWorld({ script: { turns } }, config);
  await mkdir(join(world.home, ".codex/rules"), { recursive: true });
  const rule = 'prefix_rule(pattern = ["git", "push"], decision = "forbidden")\n';
  await writeFile(join(world.home, ".codex/rules/own.rules"), rule);
  const server = await world.open();
  const started = await server.request("thread/start", { cwd: world.work });
  const threadId = threadOf(started);
  await runTurn(server, threadId);
  await server.request("thread/archive", { threadId });
  const read = async (): Promise<readonly Told[]> => {
    const { result } = await server.request("thread/read", { threadId, includeTurns: true });
    const { thread } = result as {
      readonly thread: { readonly turns: readonly [{ readonly items: readonly Told[] }] };
    };
    // two commands that run side by side are reported in the order in which they end
    return thread.turns[0].items
      .filter((item) => "status" in item)
      .toSorted((one, other) => String(one["id"]).localeCompare(String(other["id"])));
  };
  const ends = [
    { type: "commandExecution", status: "completed", exitCode: 0 },
    { type: "commandExecution", status: "failed", exitCode: 3 },
    { type: "commandExecution", status: "declined", exitCode: null },
    { type: "dynamicToolCall", tool: "apply_patch", status: "failed", success: false },
    {
      type: "dynamicToolCall",
      tool: "update_plan",
      arguments: { plan: [{ step: "Look", status: "completed" }] },
      status: "completed",
      success: true,
    },
    { type: "dynamicToolCall", tool: "nothing", status: "failed", success: false },
  ];
  expect(await read()).toMatchObject(ends);

  const folder = join(world.home, ".codex/archived_sessions");
  const [name = ""] = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(".jsonl"));
  const lines = (await readFile(join(folder, name), "utf8")).split("\n");
  const older = lines.filter((line) => !/"type":"(?:item\.ended|told)"/.test(line));
  await writeFile(join(folder, name), older.join("\n").replaceAll(',"has_shown":true', ""));
  expect((await read()).slice(0, 3)).toMatchObject(ends.slice(0, 3));
});

test("a local image whose path leads to a hidden file or a login is refused by its name, and nothing is sent", async () => {
  await using world = await openServerWorld({ script: { turns: [] } }, 'sandbox.deny_read = ["~/private"]');
  const [login, secret] = [join(world.home, ".codex/auth.json"), join(world.home, "private/photo.png")];
  await mkdir(join(world.home, "private"));
  for (const path of [login, secret]) await writeFile(path, "bytes");
  const names = { "a.png": login, "b.png": secret, "c.png": secret } as const;
  for (const [name, target] of Object.entries(names))
    await (name === "c.png" ? link : symlink)(target, join(world.work, name));
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", {}));
  const send = async (path: string, own: object = {}): Promise<string | undefined> => {
    const input = [{ type: "localImage", path }];
    return (await server.request("turn/start", { threadId, input, ...own })).error?.message;
  };
  expect(await send("a.png")).toContain("a.png leads to a hidden file: it was not read.");
  expect(await send("b.png")).toContain("b.png leads to a hidden file: it was not read.");
  expect(await send("c.png")).toContain("c.png is another name of a hidden file (it has 2 names): it was not read.");
  const full = { sandboxPolicy: { type: "dangerFullAccess" } };
  expect(await send("a.png", full)).toContain("a.png leads to a file of unroll's own folder: it was not read.");
  expect(world.model.requests).toEqual([]);
});

test("the token totals of a thread of the Codex CLI continue when it is resumed, and again after a restart", async () => {
  const usage = { input_tokens: 30, output_tokens: 4, total_tokens: 34 };
  const turns = [1, 2, 3].map(() => ({ ...text("Answer."), usage }));
  await using world = await openServerWorld({ script: { turns } });
  const threadId = "01a20022-2187-7ac0-b6b4-dc79acab60e7";
  const folder = join(world.home, ".codex/sessions/2026/11/21");
  await mkdir(folder, { recursive: true });
  const recorded = new URL("../../../conformance/threads/codex-0.169.0.jsonl", import.meta.url);
  await copyFile(recorded, join(folder, `rollout-2026-11-21T22-02-46-${threadId}.jsonl`));
  const thread = { source: "exec", gitInfo: { branch: "trunk" } };
  for (const added of [[30, 60], [90]]) {
    const server = await world.open();
    expect((await server.request("thread/read", { threadId })).result).toMatchObject({ thread });
    expect((await server.request("thread/resume", { threadId, cwd: world.work })).result).toMatchObject({ thread });
    for (const _ of added) await runTurn(server, threadId);
    const updates = server.told.filter(({ method }) => method === "thread/tokenUsage/updated");
    const totals = updates.map(({ params }) => params?.["tokenUsage"]);
    expect(totals).toMatchObject(added.map((more) => ({ total: { inputTokens: 44_753 + more } })));
    await server.end();
  }
});

test("a copy keeps the id of its first thread when another process reads or resumes it", async () => {
  await using world = await openServerWorld({ script: { turns: [text("One."), text("Two.")] } });
  const first = await world.open();
  const forkedFromId = threadOf(await first.request("thread/start", {}));
  await runTurn(first, forkedFromId);
  const threadId = threadOf(await first.request("thread/fork", { threadId: forkedFromId }));
  await runTurn(first, threadId);
  await first.end();
  const second = await world.open();
  for (const method of ["thread/read", "thread/resume"])
    expect((await second.request(method, { threadId })).result).toMatchObject({ thread: { forkedFromId } });
});

test("a resumed thread keeps its model, unless the request names another one or another provider", async () => {
  await using world = await openServerWorld({ script: { turns: [text("One.")] } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", { model: "first" }));
  await runTurn(server, threadId);
  await server.end();
  const resume = async (flags: readonly string[], params: object = {}): Promise<unknown> => {
    const spare = `model_providers.spare={name="spare",base_url="${world.model.url}",wire_api="responses"}`;
    const second = await world.open({ config: [spare, ...flags] });
    const { result, error } = await second.request("thread/resume", { threadId, ...params });
    await second.end();
    return result ?? error;
  };
  expect(await resume(['model="second"'])).toMatchObject({ model: "first", modelProvider: "test" });
  const message = expect.stringContaining("Continuing with gpt-5 of spare resends the whole thread uncached") as string;
  expect(await resume(['model_provider="spare"'])).toMatchObject({ message }); // nobody has agreed to its cost
  expect(await resume([], { modelProvider: "spare" })).toMatchObject({ model: "gpt-5", modelProvider: "spare" });
  expect(await resume([], { model: "third" })).toMatchObject({ model: "third", modelProvider: "test" });
});
