import { mkdir, mkdtempDisposable } from "node:fs/promises";
import os, { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "@unroll/config";
import {
  type ConfigSettings,
  defineTool,
  HarnessError,
  openThread,
  type OpenThreadOptions,
  type Thread,
} from "@unroll/harness";
import { nodeHost, openHarness as openHarnessHere, openThread as openThreadHere } from "@unroll/harness/node";
import type { ApprovalQuestion, ThreadEvent } from "@unroll/protocol";
import { type Script, type ScriptedModel, startScriptedModel } from "@unroll/scripted-model";
import { expect, expectTypeOf, onTestFinished, test, vi } from "vitest";
import * as z from "zod";

interface World extends AsyncDisposable {
  readonly model: ScriptedModel;
  readonly thread: Thread;
}

type Options = Omit<OpenThreadOptions, "host" | "config"> & { readonly config?: ConfigSettings };

async function openWorld(turns: Script["turns"], options: Options = {}): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await mkdtempDisposable(join(tmpdir(), "unroll-sdk-")));
  const model = stack.use(await startScriptedModel({ script: { turns } }));
  const env = { PATH: process.env["PATH"], HOME: folder.path, OPENAI_API_KEY: "any", OPENAI_BASE_URL: model.url };
  const host = nodeHost({ cwd: folder.path, env });
  const config = { sandboxMode: "danger-full-access", ...options.config } as const;
  const thread = stack.use(await openThread({ host, ...options, config }));
  const opened = stack.move();
  return { model, thread, [Symbol.asyncDispose]: async () => opened.disposeAsync() };
}

const deploy = defineTool({
  name: "deploy",
  description: "Deploys the program.",
  input: z.object({ target: z.enum(["staging", "production"]) }),
  approval: "ask",
  run: async ({ target }) => `deployed to ${target}`,
});

const callsDeploy: Script["turns"] = [
  { items: [{ text: "Now." }, { type: "function_call", name: "deploy", arguments: '{"target":"staging"}' }] },
  { items: [{ text: "Done." }] },
];

test("with the short API, your own tool asks for approval, and the turn has its text and result", async () => {
  const asked: ApprovalQuestion[] = [];
  const person = { approve: (question: ApprovalQuestion) => (asked.push(question), "approve" as const) };
  await using world = await openWorld(callsDeploy, {
    tools: [deploy],
    builtins: ["shell_command"],
    instructions: "Deploy it.",
    person,
  });
  const turn = world.thread.run("Deploy to staging");
  let text = "";
  for await (const part of turn.text) text += part;
  const { finalMessage, usage, value } = await turn;
  expect({ text, finalMessage, value, output: usage.output_tokens > 0 }).toEqual({
    text: "Now.\n\nDone.",
    finalMessage: "Done.",
    value: null,
    output: true,
  });
  expect(asked).toMatchObject([{ type: "tool.approval", tool: "deploy", arguments: { target: "staging" } }]);
  expect(world.model.requests[0]?.body).toMatchObject({
    instructions: "Deploy it.",
    tools: [{ name: "shell_command" }, { name: "deploy" }],
  });
  expect(JSON.stringify(world.model.requests[1]?.body)).toContain("deployed to staging");
});

test("the shortest way is on this machine, and a person may be a function", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-sdk-"));
  await using model = await startScriptedModel({ script: { turns: callsDeploy } });
  vi.stubEnv("OPENAI_API_KEY", "any");
  vi.stubEnv("OPENAI_BASE_URL", model.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  await using thread = await openThreadHere({
    config: { codexHome: folder.path, sandboxMode: "danger-full-access" },
    tools: [deploy],
    person: (question) => (question.type === "tool.approval" ? "approve" : { deny: "Only deploy." }),
  });
  expect((await thread.run("Deploy")).finalMessage).toBe("Done.");
  expect(JSON.stringify(model.requests[1]?.body)).toContain("deployed to staging");
});

test.each([
  [null, "openThread: options are expected as an object"],
  [{ tool: [] }, "openThread does not know tool: did you mean tools?"],
  [{ host: {} }, "openThread: host lacks env, cwd"],
])("the shortest way tells a wrong shape, too: %#", async (options, message) => {
  expect(await rejection(openThreadHere(options as never))).toMatchObject({
    code: "invalid_options",
    message: expect.stringContaining(message),
  });
});

test("`openHarness` refuses an unknown option", async () => {
  const fault = await rejection(openHarnessHere({ tools: [] } as never));
  expect(fault).toMatchObject({ message: expect.stringContaining("openHarness does not know tools: it takes host,") });
});

test("a short denial goes to the model with its reason", async () => {
  await using world = await openWorld(callsDeploy, {
    tools: [deploy],
    person: { approve: async () => ({ deny: "It is Friday." }) },
  });
  await world.thread.run("Deploy");
  expect(JSON.stringify(world.model.requests[1]?.body)).toContain("It is Friday.");
});

test.each([true, false])(
  "an approval may be a plain %s, also of a function whose type nobody wrote down",
  async (isAllowed) => {
    await using world = await openWorld(callsDeploy, { tools: [deploy], person: async () => isAllowed });
    await world.thread.run("Deploy");
    const sent = JSON.stringify(world.model.requests[1]?.body);
    expect([sent.includes("deployed to staging"), sent.includes("The call was not run")]).toEqual([
      isAllowed,
      !isAllowed,
    ]);
  },
);

test("a schema gives a typed value, and an answer that it refuses rejects", async () => {
  const output = z.object({ count: z.number().max(3), unit: z.string().default("apples") });
  await using world = await openWorld([
    { items: [{ text: '{"count":2}' }] },
    { items: [{ text: '{"count":2,"more":1}' }] },
  ]);
  const { value } = await world.thread.run("Count", { output });
  expectTypeOf(value).toEqualTypeOf<{ count: number; unit: string }>();
  expect(value).toEqual({ count: 2, unit: "apples" });
  expect(world.model.requests[0]?.body).toMatchObject({
    text: { format: { schema: { type: "object", additionalProperties: false } } },
  });
  const fault = await rejection(world.thread.run("Count", { output, schemaRepairs: 0 }));
  expect(fault).toMatchObject({ code: "turn_failed", turnError: { code: "schema_mismatch" } });
});

test("a turn is read once, and awaited as often as one likes", async () => {
  await using world = await openWorld([{ items: [{ text: "One." }] }]);
  const turn = world.thread.run("Go");
  const types: ThreadEvent["type"][] = [];
  for await (const { type } of turn) types.push(type);
  expect(types.at(-1)).toBe("turn.completed");
  expect(await turn).toBe(await turn);
});

test("text that arrived before a cut is not repeated", async () => {
  const whole = { items: [{ text: "The answer is 42." }] };
  await using world = await openWorld([{ ...whole, chunkBytes: 4, cut: { afterEvents: 5, how: "close" } }, whole], {
    config: { keys: { "model_providers.openai.stream_max_retries": 2 } },
  });
  let text = "";
  for await (const part of world.thread.run("Go").text) text += part;
  expect(text).toBe("The answer is 42.");
});

test("a turn that fails, is interrupted or left rejects with why", async () => {
  await using world = await openWorld([
    { status: 400, body: { error: { message: "No.", code: "bad" } } },
    { items: [{ text: "x" }] },
  ]);
  expect(await rejection(world.thread.run("Go"))).toMatchObject({
    name: "HarnessError",
    code: "turn_failed",
    turnError: { message: expect.stringContaining("No.") },
  });
  expect(await rejection(world.thread.run("Go", { signal: AbortSignal.abort() }))).toMatchObject({
    name: "AbortError",
  });
  const left = world.thread.run("Go");
  for await (const _ of left) break;
  expect(await rejection(left)).toMatchObject({ code: "turn_interrupted" });
});

test.each([
  [{}, 'openThread: host is missing: pass nodeHost() of "@unroll/harness/node".'],
  [undefined, "openThread: options are expected: openThread({ host: nodeHost() })."],
  [{ host: { env: {} } }, "openThread: host lacks cwd, homeDirectory"],
  [{ host: nodeHost(), tool: [] }, "openThread does not know tool: did you mean tools?"],
  [{ host: nodeHost(), tools: [{ name: "a" }] }, "openThread: tools[0] is not a tool: make it with defineTool({ … })."],
  [
    { host: nodeHost(), builtins: ["bash"] },
    'openThread: builtins: there is no built-in tool "bash": there are shell_command',
  ],
  [{ host: nodeHost(), person: {} }, "openThread: person answers nothing: give it approve"],
  [{ host: nodeHost(), userAgent: "" }, "openThread: userAgent has to be text that is not empty"],
  [
    { host: nodeHost(), config: { sandbox_mode: "read-only" } },
    "config does not know sandbox_mode: did you mean sandboxMode? Keys of config.toml go into config.keys.",
  ],
])("options of the wrong shape are refused in one sentence: %#", async (options, message) => {
  expect(await rejection(openThread(options as never))).toMatchObject({
    code: "invalid_options",
    message: expect.stringContaining(message),
  });
});

test("a thread of a harness overrides its folder, model and sandbox in short", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-sdk-"));
  await using model = await startScriptedModel({ respond: () => ({ items: [{ text: "Done." }] }) });
  const env = { HOME: folder.path, OPENAI_API_KEY: "any", OPENAI_BASE_URL: model.url };
  const jobs = ["one", "two"].map((name) => join(folder.path, name));
  for (const job of jobs) await mkdir(job);
  await using harness = await openHarnessHere({
    host: nodeHost({ cwd: folder.path, env }),
    config: { sandboxMode: "read-only", keys: { model_verbosity: "low" } },
  });
  await using first = await harness.openThread({ config: { cwd: "one" } });
  await using second = await harness.openThread({ config: { cwd: "two", model: "gpt-5", keys: { model: "gpt-5.1" } } });
  await first.run("Go");
  first.change({ sandboxMode: "workspace-write", cwd: "../two" });
  await first.run("Go on");
  await second.run("Go");
  const [began, changed, other] = model.requests.map(({ raw }) => raw.toString());
  expect(began).toContain(`<cwd>${jobs[0]}</cwd>`);
  expect(changed).toContain(`<cwd>${jobs[1]}</cwd>`);
  expect(changed).toMatch(/The permissions have changed.*workspace-write/);
  expect(other).toContain(`<cwd>${jobs[1]}</cwd>`);
  expect(model.requests[2]?.body).toMatchObject({ model: "gpt-5", text: { verbosity: "low" } });
});

test("a harness with a whole config accepts only whole ones for its threads, and the error says so", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-sdk-"));
  const env = { HOME: folder.path, OPENAI_API_KEY: "any" };
  const host = nodeHost({ cwd: folder.path, env });
  const sources = { codexHome: folder.path, cwd: folder.path, env, overrides: [], flags: {} };
  await using harness = await openHarnessHere({ host, config: await loadConfig(sources) });
  expect(await rejection(harness.openThread({ config: { cwd: "one" } }))).toMatchObject({
    code: "invalid_options",
    message: "openThread: config must be complete, like the harness's own: loadConfig of @unroll/config returns one.",
  });
});

test("a thread of the short way has the name that it was given since", async () => {
  await using world = await openWorld([]);
  expect(world.thread.name).toBeNull();
  world.thread.rename("Deploys");
  expect(world.thread.name).toBe("Deploys");
});

test("a tool that gives back nonsense fails its call, not the turn", async () => {
  const bad = defineTool({ name: "deploy", description: "", input: z.object({}), run: () => undefined as never });
  await using world = await openWorld(callsDeploy, { tools: [bad] });
  expect((await world.thread.run("Go")).finalMessage).toBe("Done.");
  expect(JSON.stringify(world.model.requests[1]?.body)).toContain(
    "The tool deploy gave back undefined; it has to be text",
  );
});

test("the errors of the short way are of the harness", () => {
  expect(new HarnessError("closed", "x").turnError).toBeNull();
});

test("nodeHost takes the home of the user whom the system knows where the environment has none, and / where it knows nobody", () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("HOME", undefined);
  const { homedir } = os.userInfo();
  expect(nodeHost()).toMatchObject({ homeDirectory: homedir, env: { HOME: homedir, PATH: process.env["PATH"] } });
  expect(nodeHost({ env: { HOME: "/home/ada" } }).homeDirectory).toBe("/home/ada");

  using _ = vi.spyOn(os, "userInfo").mockImplementation(() => {
    throw new Error("no such user");
  });
  expect(nodeHost()).toMatchObject({ homeDirectory: "/", env: process.env });
});

test("the ids of nodeHost are UUIDs of version 7, of now and each another", () => {
  const { newId, now } = nodeHost();
  const before = now();
  const ids = Array.from({ length: 100 }, newId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const times = ids.map((id) => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16));
  expect(times.every((time) => time >= before && time <= now())).toBe(true);
  expect(new Set(ids).size).toBe(100);
});

test("a clock before 1970 still gives ids, with the earliest time", () => {
  using _ = vi.spyOn(Date, "now").mockReturnValue(-1);
  expect(nodeHost().newId()).toMatch(/^00000000-0000-7/);
});

async function rejection(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    return await work.then(() => "no rejection");
  } catch (error) {
    return error;
  }
}
