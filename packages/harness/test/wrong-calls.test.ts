import { commitPlan, createMemoryPatchFiles, parsePatch, planPatch } from "@unroll/apply-patch";
import { createNodePatchFiles } from "@unroll/apply-patch/node";
import { createRequestEncoder, createThreadState, encodeRequestHead, runTurn } from "@unroll/core";
import { evaluateApproval } from "@unroll/approval/command";
import { judgeCommand, mergeRules, parseRules } from "@unroll/exec-policy";
import { checkProvider, createBudget, HarnessError, openSandbox, parseOutputSchema } from "@unroll/harness";
import { defineTool, nodeHost, openHarness, openThread } from "@unroll/harness/node";
import { createMcpTokenStore, logInToMcpServer, openMcpPool } from "@unroll/mcp";
import { renderInitialPrompt, toUserItems } from "@unroll/prompt";
import { createResponsesClient } from "@unroll/responses-client";
import { fromOpenAI } from "@unroll/responses-client/openai";
import { openThreadStore } from "@unroll/rollout";
import { createCommandRunner, filterEnvironment, probeSandbox, resolveSandboxPolicy } from "@unroll/sandbox";
import { startScriptedModel } from "@unroll/scripted-model";
import { createBuiltinTools, createToolRegistry, createToolRuntime } from "@unroll/tools";
import { createNodeOutputFiles, readNodeImage } from "@unroll/tools/node";
import { expect, test } from "vitest";
import * as z from "zod";

type Call = (...args: readonly unknown[]) => unknown;

/** The error that a caller without a type checker gets. */
async function hear(call: unknown, ...args: readonly unknown[]): Promise<string> {
  try {
    await (call as Call)(...args);
    return "nothing";
  } catch (error) {
    return (error as Error).message;
  }
}

const tool = { name: "ok", description: "", input: z.object({}), run: async () => "" };
const client = {
  provider: { id: "p", baseUrl: "http://127.0.0.1:9", headers: {}, queryParams: {} },
  credential: { authorization: async () => ({}) },
  clock: { now: Date.now, elapsed: () => 0, sleep: async () => {}, setTimer: () => () => {} },
  random: Math.random,
  userAgent: "test",
};
const runner = { policy: { mode: "read-only" }, environment: {}, elapsed: () => 0, createId: () => "id" };
const rules = { prefixRules: [] };

test.each<readonly [string, unknown, ...(readonly unknown[])]>([
  ["openThread: options are expected as an object: openThread({ … }).", openThread, 5],
  [
    'openThread: model has to be a model client; a model\'s name goes into config: { model: "…" }.',
    openThread,
    { model: "gpt-5" },
  ],
  ["openThread: store has to be a thread store: openThreadStore({ … }) of @unroll/rollout.", openThread, { store: {} }],
  ["openThread: budget has to be a budget: createBudget({ … }).", openThread, { budget: { maxTurns: 3 } }],
  ['openThread: config has to be an object: { model: "…" }.', openThread, { config: "gpt-5" }],
  ["openThread: guards has to be a list.", openThread, { guards: {} }],
  [
    'openThread: guards[0] has to be a guard: { async *before(facts) { return { type: "go" }; } }.',
    openThread,
    { guards: [async () => ({ type: "go" })] },
  ],
  [
    "config: sandboxMode has to be one of read-only, workspace-write, danger-full-access.",
    openThread,
    { config: { sandboxMode: "none" } },
  ],
  [
    "config: approvalPolicy has to be one of untrusted, on-failure, on-request, never.",
    openThread,
    { config: { approvalPolicy: "always" } },
  ],
  ["config: writableFolders has to be a list.", openThread, { config: { writableFolders: "build" } }],
  ["openThread: gate has to be a function: (own) => own.", openThread, { gate: {} }],
  ["defineTool: an object with name, description, input and run is expected.", defineTool],
  ['Tool "ok": approval has to be "run", "ask" or a function.', defineTool, { ...tool, approval: "never" }],
  [
    "createResponsesClient: an object with provider, credential, clock, random, userAgent is expected.",
    createResponsesClient,
  ],
  [
    "createResponsesClient: userAgent is missing: it has to be text.",
    createResponsesClient,
    { ...client, userAgent: undefined },
  ],
  [
    "createResponsesClient: clock.sleep is missing: it has to be a function.",
    createResponsesClient,
    { ...client, clock: { now: Date.now } },
  ],
  ["createResponsesClient: random has to be a function.", createResponsesClient, { ...client, random: 4 }],
  ["parsePatch: text is missing: it has to be text.", parsePatch],
  [
    "planPatch: patch.files is missing: it has to be a list.",
    planPatch,
    { type: "patch.parsed" },
    createMemoryPatchFiles({}),
    {},
  ],
  ["createMemoryPatchFiles: an object is expected.", createMemoryPatchFiles],
  ["createNodePatchFiles: an object with listRoots is expected.", createNodePatchFiles],
  [
    "createCommandRunner: createId is missing: it has to be a function.",
    createCommandRunner,
    { ...runner, createId: undefined },
  ],
  ["judgeCommand: command has to be an object.", judgeCommand, "ls", rules, { cwd: "/", home: null }],
  [
    "judgeCommand: rules.prefixRules is missing: it has to be a list.",
    judgeCommand,
    { argv: ["ls"] },
    [],
    { cwd: "/", home: null },
  ],
  ["openMcpPool: servers is missing: it has to be a list.", openMcpPool, {}],
  ["openThreadStore: codexHome is missing: it has to be text.", openThreadStore, {}],
  ["encodeRequestHead: threadId is missing: it has to be text.", encodeRequestHead, {}],
  ["startScriptedModel: options is missing: it has to be an object.", startScriptedModel],
  ["startScriptedModel: respond is missing: it has to be a function.", startScriptedModel, {}],
  ["nodeHost: options are expected as an object: nodeHost({ cwd }).", nodeHost, 5],
  ["nodeHost does not know cdw: it takes env, cwd, homeDirectory, ownFolders.", nodeHost, { cdw: "/" }],
  ["openThread, host: cwd has to be text.", openThread, { host: { ...nodeHost(), cwd: 5 } }],
  [
    'Tool "ok": there is no approve: a tool has name, description, input, concurrency, approval, run, endTurn.',
    defineTool,
    { ...tool, approve: "ask" },
  ],
  [
    'Tool "ok": description has to be text: it tells the model when to use the tool.',
    defineTool,
    { ...tool, description: 5 },
  ],
  ["createBudget: an object with clock, limits is expected.", createBudget],
  [
    "createBudget, limits does not know maxTurn: did you mean maxTurns?",
    createBudget,
    { clock: client.clock, limits: { maxTurn: 3 } },
  ],
  ["openSandbox: config.cwd is missing: it has to be text.", openSandbox, {}],
  ["checkProvider: config.provider is missing: it has to be an object.", checkProvider, { model: "gpt-5" }],
  ["parseOutputSchema: text has to be text.", parseOutputSchema, { type: "object" }, "schema.json"],
  ["createRequestEncoder: an object with threadId, bytes, fields is expected.", createRequestEncoder],
  ["createThreadState: entries has to be a list.", createThreadState, { entries: {} }],
  ["fromOpenAI: client.post is missing: it has to be a function.", fromOpenAI, { apiKey: "any" }],
  ["commitPlan: plan.folders is missing: it has to be a list.", commitPlan],
  ["parseRules: text is missing: it has to be text.", parseRules],
  ["mergeRules: sets has to be a list.", mergeRules, rules],
  ["evaluateApproval: verdict.commands is missing: it has to be a list.", evaluateApproval, {}],
  [
    "evaluateApproval: approvalPolicy has to be one of untrusted, on-failure, on-request, never.",
    evaluateApproval,
    { verdict: { commands: [], source: {} }, approvalPolicy: "always" },
  ],
  ["filterEnvironment: environment is missing: it has to be an object.", filterEnvironment],
  [
    "resolveSandboxPolicy: settings.mode has to be one of read-only, workspace-write, danger-full-access.",
    resolveSandboxPolicy,
    { mode: "workspace" },
  ],
  ["probeSandbox: an object with policy, cwd, stateFolder, environment, createId is expected.", probeSandbox],
  ["createMcpTokenStore: an object with read, write, remove is expected.", createMcpTokenStore],
  ["logInToMcpServer: server.id is missing: it has to be text.", logInToMcpServer, {}],
  ["renderInitialPrompt: context.cwd is missing: it has to be text.", renderInitialPrompt, {}],
  ["toUserItems: skills is missing: it has to be a list.", toUserItems, "Hi"],
  ["createToolRegistry: tools has to be a list.", createToolRegistry, tool],
  ["createNodeOutputFiles: now is missing: it has to be a function.", createNodeOutputFiles, { folder: "/" }],
  ["readNodeImage: options.toSeenSize is missing: it has to be a function.", readNodeImage, "a.png"],
  ["createToolRuntime: registry.specs is missing: it has to be a list.", createToolRuntime, {}],
  ["createBuiltinTools: shell.toArgv is missing: it has to be a function.", createBuiltinTools, {}],
  [
    "startScriptedModel: script.turns[0] has to have one of items, events, raw, stale, status.",
    startScriptedModel,
    { script: { turns: [{ item: [] }] } },
  ],
])("a wrong call fails with one sentence: %s", async (sentence, call, ...args) => {
  expect(await hear(call, ...args)).toBe(sentence);
});

test("a turn and a command that are asked for in the wrong way say so", async () => {
  expect(await hear(() => runTurn({} as never, [], {} as never).next())).toBe(
    "runTurn: ports.state.transcript is missing: it has to be an object.",
  );
  await using runs = createCommandRunner(runner as never);
  const spec = { argv: "ls", cwd: "/", confinement: "none" } as never;
  expect(await hear(() => runs.run(spec, new AbortController().signal).next())).toBe(
    "run: spec.argv has to be a list.",
  );
});

test("opening a thread of a harness with wrong options fails with one sentence", async () => {
  const env = { CODEX_HOME: "/sys/nonexistent", OPENAI_API_KEY: "any" };
  await using harness = await openHarness({ host: nodeHost({ env }) });
  const [open, resume, fork]: readonly unknown[] = [
    harness.openThread.bind(harness),
    harness.resumeThread.bind(harness),
    harness.forkThread.bind(harness),
  ];
  expect(await hear(open, 5)).toBe("openThread: options are expected as an object: { tools, instructions }.");
  expect(await hear(open, { tool: [] })).toBe("openThread does not know tool: did you mean tools?");
  expect(await hear(open, { builtins: ["bash"] })).toContain('there is no built-in tool "bash"');
  expect(await hear(open, { builtins: ["write_stdin"] })).toContain("write_stdin needs exec_command");
  expect(await hear(open, { config: { sandbox: "read-only" } })).toContain(
    "config does not know sandbox: did you mean sandboxMode?",
  );
  const named = defineTool({ ...tool, run: async () => "" });
  expect(await hear(open, { tools: [named, named] })).toBe('Tool name "ok" is given to two tools: rename one of them.');
  await expect(harness.openThread({ tools: [named, named] })).rejects.toBeInstanceOf(HarnessError);
  expect(await hear(resume)).toBe("resumeThread: id is missing: it has to be text.");
  expect(await hear(fork, "last", { at: "2" })).toBe("forkThread: options.at has to be a number.");
});

test("a thread refuses wrong input and options", async () => {
  await using server = await startScriptedModel({ respond: () => ({ items: [{ text: "Hello." }] }) });
  const env = { CODEX_HOME: "/sys/nonexistent", OPENAI_API_KEY: "any", OPENAI_BASE_URL: server.url };
  await using thread = await openThread({ host: nodeHost({ env }), builtins: [] });
  const run: unknown = thread.run.bind(thread);
  expect(await hear(run)).toBe("run: the input has to be text, or a list of parts.");
  expect(await hear(run, [{ type: "txt", text: "Hi" }])).toBe(
    'run: input[0] has to be { type: "text", text } or { type: "image", dataUrl }.',
  );
  expect(await hear(run, "Hi", { signal: new AbortController() })).toBe(
    "run: signal has to be an AbortSignal: that of an AbortController is its signal.",
  );
  expect(await hear(run, "Hi", { output: { type: "object" } })).toBe(
    "run: output takes a schema of zod 4, as z.object({ … }); a JSON Schema goes into outputSchema.",
  );
  expect(await hear(run, "Hi", { schema: {} })).toBe("run does not know schema: did you mean schemaRepairs?");
  expect(await hear(run, "Hi", { output: z.string(), schemaRepairs: null })).toBe(
    "run: schemaRepairs cannot be null with output: a typed value is always checked.",
  );
  expect(await hear(thread.send.bind(thread))).toBe("send: the input has to be text, or a list of parts.");
  const nothing = "the text is empty: pass a message, or run([]) to continue without one.";
  expect([await hear(() => thread.run(" \n")), await hear(() => thread.send(""))]).toEqual([
    `run: ${nothing}`,
    `send: ${nothing}`,
  ]);
  const change: unknown = thread.change.bind(thread);
  expect(await hear(change, 7)).toBe("change: an object is expected.");
  expect(await hear(change, { sandbox: "read-only" })).toBe("change does not know sandbox: did you mean sandboxMode?");
  expect(await hear(change, { approvalPolicy: "sometimes" })).toBe(
    "change: approvalPolicy has to be one of untrusted, on-failure, on-request, never.",
  );
  expect(await hear(change, { sandboxSettings: { mode: "read-only" } })).toBe(
    "change, sandboxSettings: writableRoots is missing: it has to be a list.",
  );
  expect(await hear(change, { reasoningEffort: "huge" })).toMatch(
    /^change: \S+ does not support effort "huge", only low, /,
  );
  expect(await hear(change, { verbosity: "loud" })).toBe("change: verbosity has to be one of low, medium, high.");
  expect((await thread.run("Hi")).finalMessage).toBe("Hello.");
});
