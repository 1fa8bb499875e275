import { compiled, fakeServer, realServer } from "@unroll/mcp/fixture/servers";
import { expect, test } from "vitest";
import { openServerWorld, type RunningServer, runTurn, threadOf, type Told } from "./server-world.ts";

const noTurns = { script: { turns: [] } };

function toToml({ command, args }: ReturnType<typeof fakeServer>, more = ""): string {
  const keys = `command = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\nstartup_timeout_sec = 250\n`;
  return `mcp_startup_grace_ms = 20000\n[mcp_servers.one]\n${keys}env.NODE_COMPILE_CACHE = ${JSON.stringify(compiled)}\n${more}`;
}

const alwaysRun = 'default_tools_approval_mode = "approve"\n';
const alwaysAsk = 'default_tools_approval_mode = "prompt"\n';
const isQuestion = ({ method, id }: Told): boolean =>
  method === "mcpServer/elicitation/request" && typeof id === "number";

/** Starts a thread, and gives what calls a tool for its client. */
async function begin(server: RunningServer): Promise<(params: object) => Promise<Told>> {
  const threadId = threadOf(await server.request("thread/start"));
  return (params) => server.request("mcpServer/tool/call", { threadId, server: "one", ...params });
}

test("a client calls a tool of a thread's MCP server, and the model does not learn of it", async () => {
  const config = toToml(fakeServer("one"), alwaysRun);
  await using world = await openServerWorld({ script: { turns: [{ items: [{ text: "Done." }] }] } }, config);
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start"));
  const call = (params: object): Promise<Told> =>
    server.request("mcpServer/tool/call", { threadId, server: "one", ...params });
  const answered = await call({ tool: "echo", arguments: { word: "hallo" } });
  expect(answered.result).toMatchObject({ content: [{ type: "text", text: '{"word":"hallo"}' }], isError: false });
  expect((await call({ tool: "echo" })).result).toMatchObject({ content: [{ text: "{}" }] });
  expect((await call({ tool: "refuse" })).error).toMatchObject({ code: -32603 });
  expect((await call({ tool: "refuse" })).error?.message).toContain("not like that");
  expect((await call({ tool: "none" })).error?.message).toContain("none");
  expect((await call({ tool: "echo", arguments: "word" })).error).toMatchObject({ code: -32602 });
  expect((await call({ server: "two", tool: "echo" })).error).toMatchObject({
    code: -32603,
    message: 'server: this thread has no MCP server "two".',
  });
  await runTurn(server, threadId);
  expect(JSON.stringify(world.model.requests[0]?.input)).not.toContain("hallo");
  expect(JSON.stringify(server.told)).not.toContain("mcpToolCall");
});

test("a call of a client needs the same approval as a call of the model", async () => {
  await using world = await openServerWorld(noTurns, toToml(fakeServer("one"), alwaysAsk));
  const server = await world.open();
  const call = await begin(server);
  for (const [action, expected] of [
    ["accept", { result: { content: [{ text: '{"word":"hallo"}' }] } }],
    ["decline", { error: { code: -32603 } }],
  ] as const) {
    const before = server.told.length;
    const answered = call({ tool: "echo", arguments: { word: "hallo" } });
    const question = await server.find((told, at) => at >= before && isQuestion(told));
    expect(question.params).toMatchObject({ serverName: "one", _meta: { tool: "echo" } });
    server.write(`${JSON.stringify({ id: question.id, result: { action, content: {} } })}\n`);
    expect(await answered).toMatchObject(expected);
  }
});

test("in plan mode a client's call may not change anything either", async () => {
  await using world = await openServerWorld(noTurns, toToml(fakeServer("one"), alwaysRun));
  const server = await world.open();
  const threadId = threadOf(await server.request("thread/start"));
  const settings = { model: "gpt-5", reasoning_effort: null, developer_instructions: null };
  await server.request("thread/settings/update", { threadId, collaborationMode: { mode: "plan", settings } });
  const { error } = await server.request("mcpServer/tool/call", { threadId, server: "one", tool: "echo" });
  expect(error).toEqual({ code: -32603, message: "Plan mode only reads." });
});

test("a client reads a resource of an MCP server, of the thread that it names or that was opened last", async () => {
  await using world = await openServerWorld(noTurns, toToml(realServer("everything")));
  const server = await world.open();
  const uri = "demo://resource/dynamic/text/1";
  const read = (params: object): Promise<Told> => server.request("mcpServer/resource/read", { uri, ...params });
  expect((await read({ server: "one" })).error).toMatchObject({ code: -32600 });
  const threadId = threadOf(await server.request("thread/start"));
  const expected = {
    contents: [{ uri, mimeType: "text/plain", text: expect.stringContaining("Resource 1") as unknown }],
  };
  expect((await read({ threadId, server: "one" })).result).toEqual(expected);
  expect((await read({ server: "one" })).result).toEqual(expected);
  expect((await read({ threadId, server: "two" })).error).toMatchObject({ code: -32603 });
  expect((await read({ threadId, server: "one", uri: "demo://none" })).error).toMatchObject({ code: -32603 });
});
