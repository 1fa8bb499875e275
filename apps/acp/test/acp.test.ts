import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type McpServer, methods, type RequestError } from "@agentclientprotocol/sdk/unstable";
import { expect, test } from "vitest";
import { type Editor, openAcpWorld, textOf } from "./acp-world.ts";

const say = (text: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text }] });
const run = (
  command: string,
): { readonly items: readonly [{ readonly call: string; readonly arguments: object }] } => ({
  items: [{ call: "exec_command", arguments: { cmd: command } }],
});
const touch = run("printf 'one\\ntwo\\n'; touch made");
const patch = {
  items: [{ custom: "apply_patch", input: "*** Begin Patch\n*** Add File: new.txt\n+one\n*** End Patch\n" }],
};
const careful = { sandbox: "danger-full-access", askForApproval: "untrusted" } as const;
const { session } = methods.agent;

async function faultOf(answer: Promise<unknown>): Promise<Pick<RequestError, "code" | "message">> {
  try {
    return { code: 0, message: JSON.stringify(await answer) };
  } catch (error) {
    const { code, message } = error as RequestError;
    return { code, message };
  }
}

/** The updates about calls and messages, without their cost. */
function storyOf({ updates }: Pick<Editor, "updates">): readonly string[] {
  const left = ["usage_update", "available_commands_update", "session_info_update"];
  return updates.flatMap((update) => {
    const { sessionUpdate: kind } = update;
    if (left.includes(kind) || (kind === "tool_call_update" && update.status === undefined)) return []; // live output
    return "status" in update ? [`${kind} ${String(update.status)}`] : [kind];
  });
}

test("a prompt is answered in chunks; the session has modes, options, commands and a title", async () => {
  await using world = await openAcpWorld({ script: { turns: [say("Hello there.")] } });
  await mkdir(join(world.home, ".codex/prompts"));
  await writeFile(join(world.home, ".codex/prompts/fix.md"), "Fix $1.");
  const editor = await world.open();
  expect(editor.hello).toEqual({
    protocolVersion: 1,
    agentInfo: { name: "unroll", title: "unroll", version: "0.1.0" },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: false },
      sessionCapabilities: { list: {}, resume: {}, fork: {}, close: {}, delete: {}, additionalDirectories: {} },
      auth: { logout: {} },
    },
    authMethods: [],
  });
  const begun = await editor.begin();
  expect(begun).toMatchObject({ modes: { currentModeId: "ask" } });
  expect(begun.configOptions?.map(({ id, currentValue }) => [id, currentValue])).toEqual([
    ["mode", "ask"],
    ["model", "gpt-5"],
    ["effort", "medium"],
  ]);
  const { availableCommands } = await editor.find("available_commands_update");
  expect(availableCommands.map(({ name }) => name)).toEqual(["compact", "init", "prompts:fix"]);
  const { sessionId } = begun;
  await editor.agent.request(session.setConfigOption, { sessionId, configId: "effort", value: "low" });
  expect(await editor.prompt(sessionId, "/prompts:fix it")).toEqual({ stopReason: "end_turn" });
  expect(textOf(editor.updates)).toBe("Hello there.");
  expect(await editor.find("session_info_update")).toMatchObject({ title: "Fix it." });
  expect(await editor.find("usage_update")).toMatchObject({ size: 272_000 });
  expect(world.model.requests[0]?.body).toMatchObject({ reasoning: { effort: "low" } });
  expect(JSON.stringify(world.model.requests[0]?.body)).toContain("Fix it.");
  expect(await editor.leave()).toBe(0);
});

test.for([
  ["once", true],
  ["thread", true],
  ["always", true],
  ["no", false],
  ["something else", false],
  [null, false],
] as const)("asked whether a command may run, %s", async ([choice, isRun]) => {
  await using world = await openAcpWorld({ script: { turns: [touch, say("Done.")] } });
  const editor = await world.open({ ...careful, permit: () => choice });
  const { sessionId } = await editor.begin();
  expect(await editor.prompt(sessionId, "Go")).toEqual({ stopReason: "end_turn" });
  expect(existsSync(join(world.work, "made"))).toBe(isRun);
  expect(editor.asked).toMatchObject([
    {
      sessionId,
      toolCall: { toolCallId: "item_0", kind: "execute", status: "pending" },
      options: [
        { optionId: "once", kind: "allow_once" },
        { optionId: "thread", kind: "allow_always" },
        { optionId: "always", kind: "allow_always", name: expect.stringContaining("touch made") as string },
        { optionId: "no", kind: "reject_once" },
      ],
    },
  ]);
  expect(storyOf(editor)).toEqual([
    "tool_call in_progress",
    `tool_call_update ${isRun ? "completed" : "failed"}`,
    "agent_message_chunk",
  ]);
});

test("a client that refuses to ask, or shows no forms, has said no", async () => {
  const questions = [{ id: "q", header: "H", question: "Which?", options: [] }];
  const ask = { items: [{ call: "request_user_input", arguments: { questions } }] };
  await using world = await openAcpWorld({ script: { turns: [touch, ask, say("Done.")] } });
  const editor = await world.open(careful);
  const { sessionId } = await editor.begin();
  expect(await editor.prompt(sessionId, "Go")).toEqual({ stopReason: "end_turn" });
  expect(existsSync(join(world.work, "made"))).toBe(false);
});

test("the model's questions come as a form where the client shows forms", async () => {
  const options = ["a", "b"].map((label) => ({ label, description: `the ${label}` }));
  const questions = [{ id: "which", header: "One", question: "Which one?", options }];
  const ask = { items: [{ call: "request_user_input", arguments: { questions } }] };
  await using world = await openAcpWorld({ script: { turns: [ask, say("Done.")] } });
  const editor = await world.open({ capabilities: { elicitation: { form: {} } }, fill: () => ({ which: "b" }) });
  const { sessionId } = await editor.begin();
  expect(await editor.prompt(sessionId, "Go")).toEqual({ stopReason: "end_turn" });
  expect(JSON.stringify(world.model.requests[1]?.body)).toMatch(/which.{1,30}b/);
});

test("the output of a command goes to a terminal of the client's as it comes, where the client shows one", async () => {
  await using world = await openAcpWorld({ script: { turns: [touch, say("Done.")] } });
  const editor = await world.open({
    sandbox: "danger-full-access",
    askForApproval: "never",
    capabilities: { _meta: { terminal_output: true } },
  });
  const { sessionId, modes } = await editor.begin();
  expect(modes?.currentModeId).toBe("full");
  await editor.prompt(sessionId, "Go");
  expect(await editor.find("tool_call")).toMatchObject({
    content: [{ type: "terminal", terminalId: "item_0" }],
    _meta: { terminal_info: { terminal_id: "item_0", cwd: world.work } },
  });
  const metas = editor.updates.flatMap((update) => (update.sessionUpdate === "tool_call_update" ? [update._meta] : []));
  const data = metas.flatMap(
    (meta) => (meta?.["terminal_output"] as { readonly data: string } | undefined)?.data ?? [],
  );
  expect(data.join("")).toBe("one\ntwo\n");
  expect(metas.at(-1)).toEqual({ terminal_exit: { terminal_id: "item_0", exit_code: 0, signal: null } });
});

test("a patch is shown as what changes in which file, before a person allows it and after", async () => {
  await using world = await openAcpWorld({ script: { turns: [patch, say("Done.")] } });
  const editor = await world.open({ sandbox: "read-only", askForApproval: "on-request", permit: () => "once" });
  const { sessionId } = await editor.begin();
  await editor.prompt(sessionId, "Go");
  const path = join(world.work, "new.txt");
  const content = [{ type: "diff", path, oldText: null, newText: "one\n" }];
  const said = { type: "content" };
  const shown = { title: "Write new.txt", kind: "edit", locations: [{ path, line: 1 }], content };
  expect(await editor.find("tool_call")).toMatchObject(shown);
  expect(editor.asked[0]?.toolCall).toMatchObject({ ...shown, content: [...content, said, said] });
  expect(await editor.find("tool_call_update")).toMatchObject({ ...shown, status: "completed" });
  expect(await readFile(path, "utf8")).toBe("one\n");
});

test("in plan mode nothing is changed, whatever a person allows; with full access all of it is done, unasked", async () => {
  await using world = await openAcpWorld({
    script: { turns: [touch, patch, say("A plan."), touch, say("Done.")] },
  });
  const editor = await world.open({ ...careful, permit: () => "once" });
  const { sessionId } = await editor.begin();
  await editor.agent.request(session.setMode, { sessionId, modeId: "plan" });
  expect(await editor.prompt(sessionId, "Go")).toEqual({ stopReason: "end_turn" });
  expect([existsSync(join(world.work, "made")), existsSync(join(world.work, "new.txt"))]).toEqual([false, false]);
  const set = { sessionId, configId: "mode", value: "full" };
  expect(await editor.agent.request(session.setConfigOption, set)).toMatchObject({
    configOptions: [{ currentValue: "full" }, {}, {}],
  });
  expect(await editor.find("current_mode_update", ({ currentModeId }) => currentModeId === "full")).toBeDefined();
  const before = editor.asked.length;
  await editor.prompt(sessionId, "Now do it");
  expect(existsSync(join(world.work, "made"))).toBe(true);
  expect(editor.asked.length).toBe(before);
});

test("another model takes the thread over, before its first turn and after, under the same id", async () => {
  const script = { turns: [say("One."), { ...say("Two."), newEpoch: true }] };
  await using world = await openAcpWorld(
    { script },
    '[models."other"]\nfamily = "gpt-5"\n[models."third"]\nfamily = "gpt-5"\n',
  );
  const editor = await world.open();
  const { sessionId } = await editor.begin();
  const choose = async (value: string): Promise<unknown> =>
    (await editor.agent.request(session.setConfigOption, { sessionId, configId: "model", value })).configOptions[1]
      ?.currentValue;
  expect(await choose("other")).toBe("other");
  await editor.prompt(sessionId, "Hi");
  expect(await choose("third")).toBe("third");
  await editor.prompt(sessionId, "Again");
  expect(world.model.requests.map(({ body }) => (body as { readonly model: string }).model)).toEqual([
    "other",
    "third",
  ]);
  expect(JSON.stringify(world.model.requests[1]?.body)).toContain("One.");
  expect(textOf(editor.updates)).toContain("the model was changed from other of test to third of test");
  const { sessions } = await editor.agent.request(session.list, {});
  expect(sessions).toMatchObject([{ sessionId, cwd: world.work, title: "Hi" }]);
  expect(await faultOf(choose("none"))).toMatchObject({ code: -32602 });
});

test("an effort of the session stays for another model that supports it; a model that does not uses its own, and reports that once", async () => {
  const script = { turns: [say("One."), { ...say("Two."), newEpoch: true }, { ...say("Three."), newEpoch: true }] };
  const catalogue = ["gpt-5.6", "gpt-5.2", "gpt-5.1"].map((name) => `[models."${name}"]\nprovider = "test"\n`).join("");
  await using world = await openAcpWorld({ script }, catalogue);
  const editor = await world.open();
  const { sessionId } = await editor.begin();
  const choose = (configId: string, value: string) =>
    editor.agent.request(session.setConfigOption, { sessionId, configId, value });
  await choose("model", "gpt-5.6");
  expect((await faultOf(choose("effort", "minimal"))).message).toContain(
    'gpt-5.6 does not support effort "minimal", only none, low, medium, high, xhigh, max.',
  );
  await choose("effort", "xhigh");
  await editor.prompt(sessionId, "Hi");
  await choose("model", "gpt-5.2");
  await editor.prompt(sessionId, "Again");
  await choose("model", "gpt-5.1");
  await editor.prompt(sessionId, "And again");
  const sent = world.model.requests.map(({ body }) => (body["reasoning"] as { readonly effort: string }).effort);
  expect(sent).toEqual(["xhigh", "xhigh", "medium"]);
  const told = 'gpt-5.1 does not support effort "xhigh", only none, low, medium, high. Using medium instead.';
  const isEpoch = (update: Editor["updates"][number]): boolean => textOf([update]).includes("the model was changed");
  expect(editor.updates.filter(isEpoch)).toHaveLength(2);
  const others = editor.updates.filter((update) => !isEpoch(update));
  expect(textOf(others)).toBe(`One.Two.Warning: ${told}\n\nThree.`);
});

test("a saved session is listed, shown again in its mode when it is loaded, continued, closed and deleted", async () => {
  await using world = await openAcpWorld({ script: { turns: [touch, say("Done."), say("More.")] } });
  const first = await world.open({ sandbox: "danger-full-access", askForApproval: "never" });
  const { sessionId } = await first.begin();
  await first.prompt(sessionId, "Go");
  expect(await first.leave()).toBe(0);
  const second = await world.open();
  const place = { sessionId, cwd: world.work, mcpServers: [] };
  expect(await second.agent.request(session.load, place)).toMatchObject({ modes: { currentModeId: "full" } });
  expect(storyOf(second)).toEqual(["user_message_chunk", "tool_call completed", "agent_message_chunk"]);
  expect([textOf(second.updates, "user_message_chunk"), textOf(second.updates)]).toEqual(["Go", "Done."]);
  expect(await second.prompt(sessionId, "Again")).toEqual({ stopReason: "end_turn" });
  await second.agent.request(session.close, { sessionId });
  expect((await faultOf(second.prompt(sessionId, "Hi"))).code).toBe(-32002);
  expect(await second.agent.request(session.resume, place)).toMatchObject({ modes: { currentModeId: "full" } });
  expect(storyOf(second).filter((kind) => kind === "user_message_chunk").length).toBe(1);
  expect((await second.agent.request(session.list, { cwd: "/elsewhere" })).sessions).toEqual([]);
  await second.agent.request(session.delete, { sessionId: sessionId.slice(0, -1) }); // no such session: nothing to delete
  expect((await second.agent.request(session.list, {})).sessions.length).toBe(1);
  await second.agent.request(session.delete, { sessionId });
  expect((await second.agent.request(session.list, {})).sessions).toEqual([]);
  expect((await faultOf(second.agent.request(session.load, place))).code).toBe(-32002);
});

test("a prompt that is cancelled ends, a second one at once is refused, and a cancel without one does nothing", async () => {
  await using world = await openAcpWorld({ script: { turns: [run("sleep 60"), say("More.")] } });
  const editor = await world.open({ sandbox: "danger-full-access", askForApproval: "never" });
  const { sessionId } = await editor.begin();
  await editor.agent.notify(session.cancel, { sessionId });
  await editor.agent.notify(session.cancel, { sessionId: "none" });
  const running = editor.prompt(sessionId, "Go");
  await editor.find("tool_call");
  expect(await faultOf(editor.prompt(sessionId, "And"))).toEqual({
    code: -32600,
    message: expect.stringContaining("A turn is running") as string,
  });
  await editor.agent.notify(session.cancel, { sessionId });
  expect(await running).toEqual({ stopReason: "cancelled" });
  expect(await editor.prompt(sessionId, "Go on")).toEqual({ stopReason: "end_turn" });
});

test("a cancelled prompt withdraws what was asked", async () => {
  await using world = await openAcpWorld({ script: { turns: [touch] } });
  const editor = await world.open({ ...careful, permit: () => new Promise<string>(() => {}) });
  const { sessionId } = await editor.begin();
  const running = editor.prompt(sessionId, "Go");
  await expect.poll(() => editor.asked.length).toBe(1);
  await editor.agent.notify(session.cancel, { sessionId });
  expect(await running).toEqual({ stopReason: "cancelled" });
});

test("a client that leaves during a turn leaves nothing running, and the thread can be resumed", async () => {
  await using world = await openAcpWorld({ script: { turns: [run("sleep 60; touch made"), say("More.")] } });
  const editor = await world.open({ sandbox: "danger-full-access", askForApproval: "never" });
  const { sessionId } = await editor.begin();
  const running = faultOf(editor.prompt(sessionId, "Go"));
  await editor.find("tool_call");
  expect(await editor.leave()).toBe(0);
  expect(await running).toMatchObject({ message: '{"stopReason":"cancelled"}' });
  const second = await world.open();
  await second.agent.request(session.resume, { sessionId, cwd: world.work });
  expect(await second.prompt(sessionId, "Go on")).toEqual({ stopReason: "end_turn" });
  expect(existsSync(join(world.work, "made"))).toBe(false);
});

test("without a key or a login a session is refused with the reason; the demo can be chosen", async () => {
  await using world = await openAcpWorld({ script: { turns: [] } });
  await writeFile(join(world.home, ".codex/config.toml"), "");
  const editor = await world.open({ capabilities: { auth: { terminal: true } } });
  expect(editor.hello.authMethods?.map(({ id }) => id)).toEqual(["api-key", "chatgpt", "terminal", "demo"]);
  expect((await faultOf(editor.begin())).code).toBe(-32000);
  const logIn = (methodId: string): Promise<unknown> =>
    faultOf(editor.agent.request(methods.agent.authenticate, { methodId }));
  expect(await logIn("api-key")).toMatchObject({
    code: -32000,
    message: expect.stringContaining("$OPENAI_API_KEY") as string,
  });
  expect(await logIn("chatgpt")).toMatchObject({
    code: -32000,
    message: expect.stringContaining("--device-auth") as string,
  });
  expect(await logIn("none")).toMatchObject({ code: -32602 });
  expect(await logIn("demo")).toMatchObject({ code: 0 });
  const { sessionId } = await editor.begin();
  expect(await editor.find("agent_message_chunk")).toMatchObject({
    content: { text: expect.stringContaining("demo") as string },
  });
  expect(await editor.prompt(sessionId, "Hi")).toEqual({ stopReason: "end_turn" });
  await editor.agent.request(methods.agent.logout, {});
  expect((await faultOf(editor.begin())).code).toBe(-32000);
});

test("MCP servers of the client start with the session, and their faults are reported", async () => {
  await using world = await openAcpWorld({ script: { turns: [say("Hello.")] } });
  const editor = await world.open({ capabilities: { session: { notices: {} } } });
  const gone: McpServer = {
    name: "my server",
    command: "/sys/nonexistent/server",
    args: [],
    env: [{ name: "A", value: "b" }],
  };
  const { sessionId } = await editor.agent.request(session.new, { cwd: world.work, mcpServers: [gone] });
  const { title } = await editor.find("notice");
  expect(title).toContain("my server");
  expect(await editor.prompt(sessionId, "Hi")).toEqual({ stopReason: "end_turn" });
  const old = { type: "sse" as const, name: "old", url: "http://127.0.0.1:1", headers: [] };
  expect(await faultOf(editor.agent.request(session.new, { cwd: world.work, mcpServers: [old] }))).toEqual({
    code: -32602,
    message: expect.stringContaining("mcpServers[0].type") as string,
  });
});

test("an error names the place of the fault, and has no other effect", async () => {
  await using world = await openAcpWorld({ script: { turns: [say("Hello.")] } });
  const editor = await world.open();
  const { agent } = editor;
  const hello = { protocolVersion: 1 };
  expect((await faultOf(agent.request(methods.agent.initialize, hello))).code).toBe(-32600);
  expect((await faultOf(agent.request("session/none", {}))).code).toBe(-32601);
  expect((await faultOf(agent.request(session.new, { cwd: "here", mcpServers: [] }))).message).toContain("cwd: ");
  expect((await faultOf(agent.request(session.new, { cwd: "/sys/nonexistent", mcpServers: [] }))).code).toBe(-32602);
  expect((await faultOf(agent.request("session/new", { cwd: 1 }))).code).toBe(-32602);
  expect((await faultOf(editor.prompt("none", "Hi"))).code).toBe(-32002);
  const { sessionId } = await editor.begin();
  const sound = { type: "audio" as const, data: "", mimeType: "audio/wav" };
  const prompts = [[], [sound], [{ type: "image" as const, data: "x", mimeType: "text/plain" }]];
  for (const prompt of prompts)
    expect((await faultOf(agent.request(session.prompt, { sessionId, prompt }))).message).toMatch(
      /^Invalid params: prompt/,
    );
  expect((await faultOf(agent.request(session.setMode, { sessionId, modeId: "none" }))).message).toContain("modeId");
  expect((await faultOf(agent.request(session.list, { cursor: "x" }))).message).toContain("cursor");
  expect(await editor.prompt(sessionId, "Hi")).toEqual({ stopReason: "end_turn" });
});

test("each invalid line gets an error, and requests before the end of stdin are answered", async () => {
  await using world = await openAcpWorld({ script: { turns: [] } });
  const { stdin, stdout, ended } = world.start();
  const list = { jsonrpc: "2.0", id: 1, method: "session/list", params: {} };
  const hello = { jsonrpc: "2.0", id: 2, method: "initialize", params: { protocolVersion: 99 } };
  const lines = [
    "{",
    "[]",
    "7",
    '{"jsonrpc":"2.0"}',
    JSON.stringify(list),
    JSON.stringify(hello),
    JSON.stringify({ ...list, id: 3 }),
  ];
  stdin.end(lines.map((line) => `${line}\n`).join(""));
  expect(await ended).toBe(0);
  const chunks: Buffer[] = [];
  // One read may return less than everything.
  for (let chunk; (chunk = stdout.read() as Buffer | null) !== null;) chunks.push(chunk);
  const said = Buffer.concat(chunks).toString().trim().split("\n");
  const answers = said.map(
    (line) =>
      JSON.parse(line) as {
        readonly id: number | null;
        readonly error?: { readonly code: number };
        readonly result?: object;
      },
  );
  expect(answers.flatMap(({ id, error }) => (id === null ? [error?.code] : []))).toEqual([
    -32700, -32600, -32600, -32600,
  ]);
  expect(answers.find(({ id }) => id === 1)?.error?.code).toBe(-32600);
  expect(answers.find(({ id }) => id === 2)?.result).toMatchObject({ protocolVersion: 1 });
  expect(answers.find(({ id }) => id === 3)?.error?.code ?? answers.find(({ id }) => id === 3)?.result).toBeDefined();
});

test("a read-only session says once how to let the agent edit", async () => {
  await using world = await openAcpWorld({ script: { turns: [patch, patch, say("Done.")] } });
  const editor = await world.open({ sandbox: "read-only", askForApproval: "never" });
  const { sessionId } = await editor.begin();
  await editor.prompt(sessionId, "Go");
  const told = editor.updates.filter((update) => JSON.stringify(update).includes("unroll acp with -s workspace-write"));
  expect(told).toHaveLength(1);
});
