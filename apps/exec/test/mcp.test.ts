import { expect, test } from "vitest";
import { createLatch } from "@unroll/mcp/fixture/open-fixture";
import { serveEverything } from "@unroll/mcp/fixture/serve-everything";
import { compiled, fakeServer, realServer } from "@unroll/mcp/fixture/servers";
import { openExecWorld } from "./exec-world.ts";

interface StdioServer {
  readonly id: string;
  readonly command: string;
  readonly args: readonly string[];
}

function toToml({ id, command, args }: StdioServer, more = ""): string {
  const keys = `command = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\nstartup_timeout_sec = 250\n`;
  return `[mcp_servers.${id}]\n${keys}env.NODE_COMPILE_CACHE = ${JSON.stringify(compiled)}\n${more}`;
}

const prompt = { prompt: "Add 2 and 3" };
const sum = {
  script: {
    turns: [
      { items: [{ call: "mcp__everything__get-sum", arguments: { a: 2, b: 3 } }] },
      { items: [{ text: "It is 5." }] },
    ],
  },
};

test.for(["stdio", "HTTP"] as const)("a tool of a real server is called over %s", async (kind) => {
  const config =
    kind === "stdio"
      ? toToml(realServer("everything"))
      : `[mcp_servers.everything]\nurl = "${(await serveEverything()).url}"\n`;
  await using world = await openExecWorld(sum, config);
  const { exitCode, events } = await world.run({ ...prompt, json: true, waitMcp: true });
  expect(exitCode).toBe(0);
  expect(events.filter(({ type }) => type === "mcp.server_updated")).toMatchObject([
    { server: "everything", state: { type: "starting" } },
    { server: "everything", state: { type: "ready", tools: expect.any(Number), tokens: expect.any(Number) } },
  ]);
  expect(events).toContainEqual({
    type: "item.completed",
    item: expect.objectContaining({
      type: "mcp_tool_call",
      server: "everything",
      tool: "get-sum",
      arguments: { a: 2, b: 3 },
      result: { content: [{ type: "text", text: "The sum of 2 and 3 is 5." }], structured_content: null },
      status: "completed",
    }),
  });
  expect(events.at(-1)).toMatchObject({ type: "turn.completed" });
});

test("what becomes of each server is a line on stderr", async () => {
  const latch = await createLatch();
  const config = [
    "mcp_startup_grace_ms = 0\nmcp_tool_schema_tokens = 600\n",
    toToml(realServer("everything"), "required = true\n"),
    toToml(fakeServer("small"), 'required = true\nenabled_tools = ["echo"]\n'),
    toToml(fakeServer("slow", { latch: latch.path })),
    toToml(fakeServer("broken", { exitCode: 3, complaint: "no config" })),
  ].join("");
  const turns = [
    { items: [{ call: "mcp_call", arguments: { server: "broken", tool: "echo", arguments: {} } }] },
    { items: [{ text: "Done." }] },
  ];
  await using world = await openExecWorld({ script: { turns } }, config);
  const { exitCode, stdout, stderr } = await world.run(prompt);
  expect([exitCode, stdout]).toEqual([0, "Done.\n"]);
  expect(stderr).toMatch(/^mcp: small is ready: 1 tool, about \d+ tokens per request$/m);
  expect(stderr).toMatch(/^mcp: slow is still starting; .*--wait-mcp/m);
  expect(stderr).toMatch(
    /^mcp: everything's tools are only found by search: they take .* mcp_tool_schema_tokens allows 600$/m,
  );
  expect(stderr).toMatch(/^mcp: MCP server "broken": .*exit code 3.* no config$/m);
});

test("a required server that fails ends the run with its events and its reason, before any request", async () => {
  const config = toToml(fakeServer("broken", { exitCode: 3, complaint: "no config" }), "required = true\n");
  await using world = await openExecWorld(sum, config);
  const { exitCode, events, stderr } = await world.run({ ...prompt, json: true });
  expect(exitCode).toBe(2);
  expect(events).toMatchObject([
    { type: "mcp.server_updated", server: "broken", state: { type: "starting" } },
    {
      type: "mcp.server_updated",
      server: "broken",
      state: { type: "failed", required: true, stderr_tail: "no config" },
    },
    { type: "turn.failed", error: { code: "mcp_required_failed", message: expect.stringContaining("broken") } },
  ]);
  expect(stderr).toContain("mcp_servers.broken.required = false");
  expect(world.model.requests).toEqual([]);
});

test("a signal ends the wait for servers", async () => {
  const latch = await createLatch();
  await using world = await openExecWorld(sum, toToml(fakeServer("slow", { latch: latch.path })));
  const options = { ...prompt, json: true, waitMcp: true };
  const { exitCode, events } = await world.run(options, { onStart: (send) => setImmediate(() => send("SIGINT")) });
  expect(exitCode).toBe(130);
  expect(events).toMatchObject([{ type: "turn.failed", error: { code: "interrupted" } }]);
});

test("a server's question is declined, for nobody is there", async () => {
  const turns = [{ items: [{ call: "mcp__one__ask", arguments: {} }] }, { items: [{ text: "Done." }] }];
  await using world = await openExecWorld(
    { script: { turns } },
    toToml(fakeServer("one"), 'enabled_tools = ["ask"]\n'),
  );
  const { exitCode, events } = await world.run({ ...prompt, json: true, waitMcp: true });
  expect(exitCode).toBe(0);
  expect(JSON.stringify(events)).toContain("decline");
});

test("a call tells how far it is, and how it ended", async () => {
  const calls = ["progress", "refuse"].map((name) => ({ items: [{ call: `mcp__one__${name}`, arguments: {} }] }));
  const config = toToml(fakeServer("one"), 'enabled_tools = ["progress", "refuse"]\n');
  await using world = await openExecWorld({ script: { turns: [...calls, { items: [{ text: "Done." }] }] } }, config);
  const { stderr } = await world.run({ ...prompt, waitMcp: true });
  expect(stderr).toMatch(/^ {2}one\.progress: 2 of 2 step 2\ncalled one\.progress$/m);
  expect(stderr).toMatch(/^call failed one\.refuse: .*not like that/m);
});
