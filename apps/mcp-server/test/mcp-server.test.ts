import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ElicitRequest, Progress } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { openServerWorld } from "./server-world.ts";

const say = (text: string) => ({ items: [{ text }] });
const outside = {
  items: [
    {
      call: "exec_command",
      arguments: { cmd: "touch made", sandbox_permissions: "require_escalated", justification: "To try it." },
    },
  ],
};
const ask = {
  items: [
    {
      call: "request_user_input",
      arguments: {
        questions: [
          {
            id: "colour",
            header: "Colour",
            question: "Which one?",
            options: [
              { label: "Red", description: "like a rose" },
              { label: "Blue", description: "like the sea" },
            ],
          },
        ],
      },
    },
  ],
};

test("the tools are there under our names and those of the Codex CLI, with its arguments", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const { client } = await world.open();
  expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
  const { tools } = await client.listTools();
  expect(
    tools.map(({ name, inputSchema, outputSchema }) => [
      name,
      Object.keys(inputSchema.properties ?? {})
        .toSorted()
        .join(" "),
      Object.keys(outputSchema?.["properties"] ?? {}).join(" "),
    ]),
  ).toEqual([
    [
      "unroll",
      "approvalPolicy config cwd ephemeral instructions model outputSchema profile prompt sandbox",
      "threadId content usage",
    ],
    ["unroll_reply", "outputSchema prompt threadId", "threadId content usage"],
    [
      "codex",
      "approval-policy base-instructions compact-prompt config cwd developer-instructions model profile prompt sandbox",
      "threadId content",
    ],
    ["codex-reply", "conversationId prompt threadId", "threadId content"],
  ]);
  // some clients do not read a schema without members
  expect(JSON.stringify(tools)).toContain('"additionalProperties":true');
  expect(JSON.stringify(tools)).not.toContain('"additionalProperties":{}');
});

test("a call runs a turn, a reply the next one, and another server resumes the thread", async () => {
  await using world = await openServerWorld({ script: { turns: [say("One."), say("Two."), say("Three.")] } });
  const server = await world.open();
  const first = await server.call("codex", { prompt: "Hi", "developer-instructions": "Be brief.", unknown: 1 });
  const { threadId } = first.structuredContent as { readonly threadId: string };
  expect(first).toEqual({
    content: [{ type: "text", text: "One." }],
    structuredContent: { threadId, content: "One." },
  });
  expect(server.stderr()).toBe("unroll: codex: ignored unknown: unroll does not know this member.\n");
  const second = await server.call("codex-reply", { prompt: "Go on", conversationId: threadId });
  expect(second.structuredContent).toEqual({ threadId, content: "Two." });
  expect(await server.end()).toBe(0);

  const other = await world.open();
  const third = await other.call("unroll_reply", { prompt: "And?", threadId });
  expect(third.structuredContent).toEqual({
    threadId,
    content: "Three.",
    usage: expect.objectContaining({ outputTokens: expect.any(Number) as number }) as object,
  });
});

test("an answer by a schema is JSON of it", async () => {
  await using world = await openServerWorld({ script: { turns: [say('{"done":true}')] } });
  const server = await world.open();
  const schema = {
    type: "object",
    properties: { done: { type: "boolean" } },
    required: ["done"],
    additionalProperties: false,
  };
  const answer = await server.call("unroll", { prompt: "Hi", outputSchema: schema, ephemeral: true });
  expect(answer.content).toEqual([{ type: "text", text: '{"done":true}' }]);
});

test.for([
  ["a yes", { action: "accept", content: {} }, true],
  ["a yes of a client that shows no form", { action: "accept" }, true],
  ["a yes in the form", { action: "accept", content: { decision: "approve_for_thread" } }, true],
  ["the decision of a client of the Codex CLI", { decision: "approved" }, true],
  ["a no of such a client", { action: "accept", decision: "denied" }, false],
  ["a decline", { action: "decline" }, false],
  ["a no in the form", { action: "accept", content: { decision: "deny" } }, false],
  ["what is no answer", { nonsense: 1 }, false],
  ["content that is no form", { action: "accept", content: ["deny"] }, false],
  ["a decision that is no text", { action: "accept", decision: { type: "denied" } }, false],
  ["nothing for a decision", { action: "accept", content: { decision: null } }, false],
  ["a decision that there is not", { action: "accept", content: { decision: "maybe" } }, false],
  ["a field that was not asked for", { action: "accept", content: { sure: false } }, false],
  ["a yes beside a no in the form", { action: "accept", decision: "approved", content: { decision: "deny" } }, false],
  ["a yes beside content that is no form", { decision: "approved", content: ["deny"] }, false],
  ["a yes beside a no", { action: "decline", decision: "approved" }, false],
] as const)("a command waits for the person at the client: %s", async ([, answer, runs]) => {
  await using world = await openServerWorld({ script: { turns: [outside, say("Done.")] }, allowViolations: true });
  const asked: ElicitRequest["params"][] = [];
  const server = await world.open((params) => {
    asked.push(params);
    return answer as never;
  });
  const result = await server.call("unroll", { prompt: "Go", approvalPolicy: "on-request" });
  expect(result.content).toEqual([{ type: "text", text: "Done." }]);
  expect(asked.map(({ message }) => message.split("\n\n").slice(0, 2))).toEqual([
    [`May this command run in ${world.work}, outside the sandbox?`, "$ touch made"],
  ]);
  expect(existsSync(join(world.work, "made"))).toBe(runs);
});

test("an invalid answer, or one that was not offered, reaches the model as a denial with its reason", async () => {
  const patch = "*** Begin Patch\n*** Add File: ../made\n+x\n*** End Patch";
  const turns = [{ items: [{ custom: "apply_patch", input: patch }] }, say("Done.")];
  await using world = await openServerWorld({ script: { turns }, allowViolations: true });
  const server = await world.open(() => ({ action: "accept", content: { decision: "approve_always" } }));
  await server.call("unroll", { prompt: "Go", model: "gpt-5-codex", approvalPolicy: "on-request" });
  expect(existsSync(join(world.work, "../made"))).toBe(false);
  expect(JSON.stringify(world.model.requests.at(-1)?.input)).toContain(
    "not one of those offered, so the request is denied",
  );
});

test("of two replies at once in one thread one is refused, and the other is still asked", async () => {
  await using world = await openServerWorld({
    script: { turns: [say("Hi."), outside, say("Done.")] },
    allowViolations: true,
  });
  const asked: string[] = [];
  const server = await world.open(({ message }) => {
    asked.push(message);
    return { action: "accept", content: {} };
  });
  const first = await server.call("unroll", { prompt: "Hi", approvalPolicy: "on-request" });
  const { threadId } = first.structuredContent as { readonly threadId: string };
  const reply = { threadId, prompt: "Go" };
  const results = await Promise.all([server.call("unroll_reply", reply), server.call("unroll_reply", reply)]);
  const texts = results.map(({ content }) => JSON.stringify(content)).toSorted();
  expect(texts).toEqual([expect.stringContaining("A turn is running"), expect.stringContaining("Done.")]);
  expect(asked).toHaveLength(1);
  expect(existsSync(join(world.work, "made"))).toBe(true);
});

test("if the client cannot be asked, the model gets a denial, and the call continues", async () => {
  await using world = await openServerWorld({ script: { turns: [outside, say("Done.")] } });
  const server = await world.open();
  expect((await server.call("codex", { prompt: "Go", "approval-policy": "on-request" })).content).toEqual([
    { type: "text", text: "Done." },
  ]);
  expect(existsSync(join(world.work, "made"))).toBe(false);
  expect(JSON.stringify(world.model.requests.at(-1)?.input)).toContain("nobody can be asked");
});

test("the questions of the model are a form, with room for other words", async () => {
  await using world = await openServerWorld({ script: { turns: [ask, say("Fine.")] } });
  const server = await world.open(({ message }) => ({
    action: "accept",
    content: { colour: "Red", colour_other: message === "Which one?" ? "Green" : "" },
  }));
  await server.call("unroll", { prompt: "Paint" });
  expect(JSON.stringify(world.model.requests.at(-1)?.input)).toContain("Green");
});

test("progress describes the running call, if the client asks for it", async () => {
  const turns = [{ items: [{ call: "exec_command", arguments: { cmd: "echo hello" } }] }, say("Done.")];
  await using world = await openServerWorld({ script: { turns } });
  const { client } = await world.open();
  const told: Progress[] = [];
  const call = { name: "unroll", arguments: { prompt: "Go" } };
  const result = await client.callTool(call, { onprogress: (progress) => told.push(progress) });
  const { threadId } = result.structuredContent as { readonly threadId: string };
  const messages = told.map(({ message }) => message);
  expect(messages[0]).toBe(`thread ${threadId}`);
  expect(messages).toContain("$ echo hello");
  expect(told.map(({ progress }) => progress)).toEqual(told.map((_, index) => index + 1));
});

test("a cancelled call ends its turn with all that it started, and its thread can be resumed", async () => {
  const turns = [
    { items: [{ call: "exec_command", arguments: { cmd: "touch begun; sleep 60; touch late" } }] },
    say("Back."),
  ];
  await using world = await openServerWorld({ script: { turns }, allowViolations: true });
  const server = await world.open();
  const { client } = server;
  const stop = new AbortController();
  let threadId = "";
  const cancelled = client.callTool(
    { name: "unroll", arguments: { prompt: "Go" } },
    {
      signal: stop.signal,
      onprogress({ message = "" }) {
        threadId ||= message.replace("thread ", "");
        if (message.startsWith("$ touch")) stop.abort();
      },
    },
  );
  await expect(cancelled).rejects.toThrow();
  expect((await server.call("unroll_reply", { threadId, prompt: "Are you there?" })).content).toEqual([
    { type: "text", text: "Back." },
  ]);
});

test("many calls run side by side, and a thread takes one at a time", async () => {
  const turns = [...Array.from({ length: 8 }, () => say("Hi.")), outside, say("Done.")];
  await using world = await openServerWorld({ script: { turns }, allowViolations: true });
  const entered = Promise.withResolvers<string>();
  const going = Promise.withResolvers<void>();
  const server = await world.open(async (params) => {
    entered.resolve((params as unknown as { readonly threadId: string }).threadId);
    await going.promise;
    return { action: "decline" };
  });
  const calls = Array.from({ length: 8 }, () => server.call("unroll", { prompt: "Hi" }));
  const ids = (await Promise.all(calls)).map(
    ({ structuredContent }) => (structuredContent as { readonly threadId: string }).threadId,
  );
  expect(new Set(ids).size).toBe(8);

  const threadId = String(ids[0]);
  const busy = server.call("unroll_reply", { threadId, prompt: "Go" });
  await entered.promise;
  expect(await server.call("unroll_reply", { threadId, prompt: "Me too" })).toEqual({
    content: [{ type: "text", text: `A turn is running in thread ${threadId}: wait, or cancel that call.` }],
    isError: true,
  });
  going.resolve();
  expect((await busy).isError).toBeUndefined();
});

test.for([
  ["unroll", {}, "unroll: prompt: Invalid input: expected string, received undefined"],
  ["unroll", { prompt: "x", sandbox: "none" }, "unroll: sandbox: Invalid option"],
  ["unroll", { prompt: "x", effort: "high" }, "unroll: effort: there is no such argument"],
  [
    "codex",
    { prompt: "x", permissions: ":read-only" },
    'codex: permissions: unroll does not know this limit (":read-only")',
  ],
  ["codex", { prompt: "x", extra: { maxTurns: 3 } }, "codex: extra.maxTurns: unroll does not know this limit (3)"],
  ["codex", { prompt: "x", config: { default_permissions: "nonsense" } }, 'there is no permission profile "nonsense"'],
  ["codex", { prompt: "x", config: { sandbox_moode: "read-only" } }, "sandbox_moode"],
  ["codex-reply", { prompt: "x", threadId: "y", sandbox: "read-only" }, "codex-reply: sandbox: "],
  ["unroll", { prompt: "x", permissions: ":read-only" }, "unroll: permissions: unroll does not know this limit"],
  ["codex", { prompt: "" }, "codex: prompt: what to do is expected"],
  ["codex-reply", { prompt: "x" }, "codex-reply: threadId: the id of a thread is expected"],
  ["unroll_reply", { prompt: "x", threadId: "nope" }, "nope"],
  ["unroll", { prompt: "x", cwd: "missing" }, "missing"],
  ["unroll", { prompt: "x", config: { model_reasoning_effort: 7 } }, "model_reasoning_effort"],
  [
    "unroll",
    { prompt: "x", model: "gpt-5.2", config: { model_reasoning_effort: "max" } },
    'model_reasoning_effort: gpt-5.2 does not support effort "max", only none, low, medium, high, xhigh.',
  ],
] as const)("%s with wrong arguments says which: %j", async ([name, given, wanted]) => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = await world.open();
  const result = await server.call(name, given);
  expect(result.isError).toBe(true);
  expect((result.content[0] as { readonly text: string }).text).toContain(wanted);
});

test("a limit beside the arguments of a call is refused, and metadata of other vendors says nothing", async () => {
  await using world = await openServerWorld({ script: { turns: [say("One.")] } });
  const call = (id: number, more: object): string => {
    const params = { name: "codex", arguments: { prompt: "Hi" }, ...more };
    return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
  };
  const told = await world.say([
    hello(1),
    call(2, { sandbox: "read-only" }),
    call(3, { _meta: { readOnly: true } }),
    call(4, { _meta: { "x-other-agent": { sandbox: "none" }, "example.com/limits": 1 } }),
  ]);
  const faults = told.map(({ id, error }) => [
    id,
    (error as { readonly message?: string } | undefined)?.message ?? null,
  ]);
  expect(faults.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
    [1, null],
    [2, expect.stringContaining("tools/call: sandbox: unroll does not know this limit")],
    [3, expect.stringContaining("tools/call: _meta.readOnly: unroll does not know this limit")],
    [4, null],
  ]);
});

test("the error for an unknown tool lists the known ones", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = await world.open();
  await expect(server.call("nope", {})).rejects.toThrow(
    'There is no tool "nope": there are unroll, unroll_reply, codex, codex-reply.',
  );
});

const hello = (id: number) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  });

test("an invalid message, and one at the wrong time, get an error, and the others an answer", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const told = await world.say([
    "{broken",
    "[]",
    '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    hello(2),
    hello(3),
    '{"id":4,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":5,"method":"nope"}',
    '{"jsonrpc":"2.0","id":6,"method":"ping"}',
    '{"jsonrpc":"2.0","id":77,"result":{}}',
  ]);
  const errors = told.flatMap(({ id = null, error }) =>
    error === undefined ? [] : [[id, ...Object.values(error as { readonly code: number; readonly message: string })]],
  );
  expect(errors).toEqual([
    [null, -32700, expect.stringContaining("The line is not JSON") as string],
    [null, -32600, "One message a line is expected, no batch."],
    [1, -32600, "tools/list: initialize comes first."],
    [3, -32600, "initialize: it was sent already, and counts once."],
    [4, -32600, 'jsonrpc: "2.0" is expected.'],
    [5, -32601, "Method not found"],
  ]);
  expect(told.flatMap(({ id, result }) => (result === undefined ? [] : [id]))).toEqual([2, 6]);
});

test("a client of the stateless revision is served without a greeting", async () => {
  const turns = [{ items: [{ call: "exec_command", arguments: { cmd: "echo hello" } }] }, say("One."), say("Two.")];
  await using world = await openServerWorld({ script: { turns } });
  const server = await world.open(undefined, "auto");
  const { client } = server;
  expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("unroll_reply");
  const told: (string | undefined)[] = [];
  const first = await client.callTool(
    { name: "codex", arguments: { prompt: "Go" } },
    { onprogress: ({ message }) => told.push(message) },
  );
  expect(told).toContain("$ echo hello");
  const { threadId } = first.structuredContent as { readonly threadId: string };
  expect((await server.call("codex-reply", { threadId, prompt: "And?" })).structuredContent).toEqual({
    threadId,
    content: "Two.",
  });
});

test("a client of both revisions whose person can be asked is greeted, and is asked", async () => {
  await using world = await openServerWorld({ script: { turns: [outside, say("Done.")] }, allowViolations: true });
  const server = await world.open(() => ({ action: "accept", content: {} }), "auto");
  expect(server.client.getNegotiatedProtocolVersion()).toBe("2025-11-25");
  await server.call("unroll", { prompt: "Go", approvalPolicy: "on-request" });
  expect(existsSync(join(world.work, "made"))).toBe(true);
});

const stateless = (id: number, method: string, capabilities: object = {}) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id,
    method,
    params: {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": capabilities,
      },
    },
  });

test("a client of the stateless revision gets an error for requests that it cannot use", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const told = await world.say([
    stateless(1, "server/discover", { elicitation: {} }),
    stateless(2, "server/discover"),
    stateless(3, "subscriptions/listen"),
    '{"jsonrpc":"2.0","id":4,"method":"tools/list"}',
    stateless(5, "tools/list"),
    hello(6),
  ]);
  const byId = told.toSorted((one, other) => Number(one["id"]) - Number(other["id"]));
  expect(
    byId.map(({ id, error }) => [id, (error as { readonly message: string } | undefined)?.message ?? null]),
  ).toEqual([
    [1, "server/discover: initialize must come first if the user can be asked (elicitation)."],
    [2, null],
    [3, "subscriptions/listen: nothing here changes."],
    [4, "tools/list: initialize comes first."],
    [5, null],
    [6, expect.stringContaining("nsupported protocol version") as string],
  ]);
});

test("a config that is wrong ends the server at once", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  await writeFile(join(world.home, ".codex/config.toml"), "model = 7");
  expect(await world.say([hello(1)])).toEqual([]);
});
