import { expect, test } from "vitest";
import { openServerWorld, runTurn, type TestClient, threadOf, type Told } from "./server-world.ts";

const text = (said: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text: said }] });
const toMode = (mode: string, more: object = {}): object => ({
  collaborationMode: {
    mode,
    settings: { model: "gpt-5", reasoning_effort: null, developer_instructions: null, ...more },
  },
});

test("settings change between turns, and clients see them; settings that stay the same are not reported", async () => {
  const catalogue = `[models."next"]\nprovider = "test"\nefforts = ["low", "high"]\n`;
  await using world = await openServerWorld({ script: { turns: [text("One.")] } }, catalogue);
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", { sandbox: "workspace-write" }));
  const update = (params: object): Promise<Told> => server.request("thread/settings/update", { threadId, ...params });
  expect((await update({ effort: "dull" })).error?.message).toContain("effort: gpt-5 does not support");
  expect((await update({ cwd: "/sys/nonexistent" })).error?.message).toContain("cwd: ");
  expect((await update(toMode("plan", { developer_instructions: "x" }))).error?.message).toContain(
    "developer_instructions: null is expected",
  );
  expect((await update({ approvalPolicy: "never" })).result).toEqual({});
  expect((await update({ approvalPolicy: "never" })).result).toEqual({});
  expect((await update({ model: "next", effort: "high" })).result).toEqual({});
  await runTurn(server, threadId);
  const told = server.told.filter(({ method }) => method === "thread/settings/updated");
  expect(told.map(({ params }) => params)).toMatchObject([
    { threadSettings: { approvalPolicy: "never", model: "gpt-5", collaborationMode: { mode: "default" } } },
    { threadSettings: { approvalPolicy: "never", model: "next", effort: "high" } },
  ]);
  expect(world.model.requests.map(({ body }) => [body["model"], body["reasoning"]])).toMatchObject([
    ["next", { effort: "high" }],
  ]);
});

test("in plan mode commands stay read-only, whatever sandbox a client sends; that sandbox holds after it", async () => {
  const touch = { items: [{ call: "exec_command", arguments: { cmd: "touch made", login: false } }] };
  await using world = await openServerWorld({ script: { turns: [touch, text("Planned."), touch, text("Done.")] } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", { sandbox: "workspace-write" }));
  const update = (params: object): Promise<Told> => server.request("thread/settings/update", { threadId, ...params });
  const modes = (): unknown =>
    server.told.flatMap(({ method, params }) => {
      const { sandboxPolicy, collaborationMode } = (params?.["threadSettings"] ?? {}) as Record<string, Told>;
      return method === "thread/settings/updated" ? [[collaborationMode?.["mode"], sandboxPolicy?.["type"]]] : [];
    });
  await update(toMode("plan"));
  await runTurn(server, threadId, { sandboxPolicy: { type: "dangerFullAccess" }, approvalPolicy: "never" });
  expect(JSON.stringify(world.model.requests[0]?.input)).toContain("<plan_mode>");
  expect(JSON.stringify(world.model.requests[1]?.input)).not.toContain("Exit code: 0");
  await update(toMode("default"));
  expect(modes()).toEqual([
    ["plan", "readOnly"],
    ["plan", "readOnly"],
    ["default", "dangerFullAccess"],
  ]);
  await runTurn(server, threadId, toMode("plan"));
  expect(JSON.stringify(world.model.requests[2]?.input)).toContain("<plan_mode>");
  expect(JSON.stringify(world.model.requests[3]?.input)).not.toContain("Exit code: 0");
  const resumed = await server.request("thread/resume", { threadId });
  expect(resumed.result).toMatchObject({ collaborationMode: { mode: "plan" }, sandbox: { type: "readOnly" } });
});

test("commands that were left running are listed and ended", async () => {
  const start = { call: "exec_command", arguments: { cmd: "sleep 600", login: false, yield_time_ms: 0 } };
  const turns = [{ items: [start, start, start] }, text("Started.")] as never;
  const config = 'shell_tool = "exec_command"\nsandbox_mode = "danger-full-access"\napproval_policy = "never"\n';
  await using world = await openServerWorld({ script: { turns } }, config);
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", { cwd: world.work }));
  const ask = async (name: string, params: object = {}): Promise<Told["result"]> =>
    (await server.request(`thread/backgroundTerminals/${name}`, { threadId, ...params })).result;
  expect(await ask("list")).toEqual({ data: [], nextCursor: null });
  await runTurn(server, threadId);
  const { data, nextCursor } = (await ask("list", { limit: 2 })) as { data: readonly Told[]; nextCursor: string };
  expect(data).toMatchObject([{ command: "sleep 600", cwd: world.work }, {}]);
  expect(await ask("list", { cursor: nextCursor })).toMatchObject({ data: [{}], nextCursor: null });
  expect(await ask("terminate", { processId: data[0]?.["processId"] })).toEqual({ terminated: true });
  expect(await ask("terminate", { processId: data[0]?.["processId"] })).toEqual({ terminated: false });
  expect(await ask("clean")).toEqual({});
  expect(await ask("list")).toEqual({ data: [], nextCursor: null });
});

test("a thread has no goal and no project", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start"));
  expect((await server.request("thread/goal/get", { threadId })).result).toEqual({ goal: null });
  expect((await server.request("thread/goal/clear", { threadId })).result).toEqual({ cleared: false });
  expect((await server.request("thread/goal/get", { threadId: "none" })).error).toBeDefined();
  const update = (params: object): Promise<Told> => server.request("thread/metadata/update", { threadId, ...params });
  expect((await update({ projectId: "" })).result).toMatchObject({ thread: { id: threadId, projectId: null } });
  for (const wrong of [{}, { projectId: "p" }, { gitInfo: { branch: "main" } }])
    expect((await update(wrong)).error?.message).toContain("projectId: ");
  expect((await update({})).error?.code).toBe(-32600); // as the Codex CLI answers an empty update
});

test("a request that is refused changes no setting, whichever of its members is the wrong one", async () => {
  const catalogue = `[models."next"]\nprovider = "test"\nefforts = ["low", "high"]\n`;
  await using world = await openServerWorld({ script: { turns: [text("One.")] } }, catalogue);
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", { cwd: world.work }));
  const plan = toMode("plan", { model: "next" });
  const input = [{ type: "text", text: "Go" }];
  for (const [method, params] of [
    ["thread/settings/update", { model: "next", permissions: ":nonsense" }],
    ["thread/settings/update", { model: "next", cwd: "/sys/nonexistent" }],
    ["thread/settings/update", { model: "next", effort: "medium", approvalPolicy: "never" }],
    ["thread/settings/update", { ...plan, approvalPolicy: "never", cwd: "/sys/nonexistent" }],
    ["turn/start", { ...plan, input, permissions: ":nonsense" }],
    ["turn/start", { ...plan, input, cwd: "/sys/nonexistent" }],
    ["turn/start", { ...plan, input, effort: "medium" }],
    ["turn/start", { ...plan, input: [{ type: "image", url: "https://example.com/a.png" }] }],
  ] as const) {
    const { error = null } = await server.request(method, { threadId, ...params });
    expect([params, error === null]).toEqual([params, false]);
  }
  const resumed = await server.request("thread/resume", { threadId });
  expect(resumed.result).toMatchObject({
    model: "gpt-5",
    approvalPolicy: "on-request",
    collaborationMode: { mode: "default" },
  });
  expect(server.told.filter(({ method }) => method === "thread/settings/updated")).toEqual([]);
  await runTurn(server, threadId);
  expect(world.model.requests[0]?.body["model"]).toBe("gpt-5");
  expect(JSON.stringify(world.model.requests[0]?.input)).not.toContain("<plan_mode>");
});

test("the item of a message has the id that its client gave it", async () => {
  await using world = await openServerWorld({ script: { turns: [text("One.")] } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start"));
  await runTurn(server, threadId, { clientUserMessageId: "mine" });
  const items = server.told.flatMap(({ params }) => (params?.["item"] ?? []) as Told | readonly Told[]);
  expect(items.filter(({ type }) => type === "userMessage").map(({ clientId }) => clientId)).toEqual(["mine", "mine"]);
});

test("the token totals of a thread never go back: not by a rewind, a compaction or a restart", async () => {
  const usage = { input_tokens: 30, output_tokens: 4, total_tokens: 34 };
  const turns = [1, 2, 3, 4, 5, 6].map((n) => ({
    ...text(n === 1 ? "A long answer. ".repeat(4000) : "Answer."),
    ...(n === 5 && { newEpoch: true }),
    usage,
  }));
  await using world = await openServerWorld({ script: { turns } });
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start", {}));
  const listTotals = ({ told }: TestClient): readonly number[] =>
    told.flatMap(({ method, params }) => {
      if (method !== "thread/tokenUsage/updated") return [];
      const usage = params?.["tokenUsage"] as { readonly total: { readonly inputTokens: number } } | undefined;
      return usage?.total.inputTokens ?? [];
    });
  for (let n = 0; n < 2; n += 1) await runTurn(server, threadId);
  await server.request("thread/rollback", { threadId, numTurns: 1 });
  await runTurn(server, threadId);
  const before = server.told.length;
  await server.request("thread/compact/start", { threadId });
  await server.find(({ method }, at) => method === "turn/completed" && at >= before);
  await runTurn(server, threadId);
  const first = listTotals(server);
  expect(first.slice(0, 3)).toEqual([30, 60, 90]);
  expect(first).toEqual(first.toSorted((a, b) => a - b));
  await server.end();
  const second = await world.open();
  await second.request("thread/resume", { threadId });
  await runTurn(second, threadId);
  expect(listTotals(second).at(-1)).toBeGreaterThanOrEqual((first.at(-1) ?? 0) + 30);
});
