import { loadConfig } from "@unroll/config";
import type { JournalEntry } from "@unroll/protocol";
import { checkProvider, type ProviderHealth } from "@unroll/harness";
import {
  createAzureGuise,
  createLlamaServerGuise,
  createLmStudioGuise,
  createOllamaGuise,
  createVllmGuise,
  type Guise,
  type ScriptTurn,
  startScriptedModel,
} from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd } from "./thread-world.ts";

const patch = "*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch";
/** Reasoning, a patch and a command, and what comes of them. */
const turns: readonly ScriptTurn[] = [
  {
    items: [
      { reasoning: "Think." },
      { call: "apply_patch", arguments: { input: patch } },
      { call: "exec_command", arguments: { cmd: "cat a.txt", login: false } },
    ],
  },
  { items: [{ text: "Done." }] },
];
const plainBody = ["input", "instructions", "model", "parallel_tool_calls", "stream", "tool_choice", "tools"];

test("Azure is given its key, its version and its own items back, and stores", async () => {
  const guise = createAzureGuise({ key: "azure-key-1234", apiVersion: "2025-04-01-preview" });
  const custom = [
    { items: [{ reasoning: "Think." }, { custom: "apply_patch", input: patch }] },
    { items: [{ text: "Done." }] },
  ];
  await using world = await openThreadWorld({ script: { turns: [...custom, ...custom] }, guise });
  const origin = world.model.url.replace(/\/v1$/, "");
  const env = { AZURE_OPENAI_API_KEY: "azure-key-1234" };
  const azure = (...more: readonly string[]): { readonly config: readonly string[]; readonly env: typeof env } => ({
    config: ["model_provider=azure", ...more],
    env,
  });
  const old = azure(
    `model_providers.azure.base_url=${origin}/openai`,
    `model_providers.azure.query_params={api-version="2025-04-01-preview"}`,
  );
  for (const settings of [azure(`model_providers.azure.base_url=${origin}/openai/v1`), old]) {
    await using thread = await world.openThread(settings);
    expect((await runToEnd(thread, "Go")).outcome.type).toBe("completed");
  }
  const [first, second] = world.model.requests;
  expect(first?.headers).toMatchObject({ "api-key": "azure-key-1234" });
  expect(first?.headers).not.toHaveProperty("authorization");
  expect(second?.body).toMatchObject({ store: true });
  expect(second?.input.find(({ type }) => type === "reasoning")).toHaveProperty("id");

  await using refused = await world.openThread(azure(`model_providers.azure.base_url=${origin}/openai`));
  expect((await runToEnd(refused, "Go")).outcome).toMatchObject({
    type: "failed",
    error: { message: expect.stringContaining("Resource not found") },
  });
});

test.for([
  ["ollama", "gpt-oss:20b", createOllamaGuise({ version: "0.13.4", models: ["gpt-oss:20b"] })],
  ["lmstudio", "openai/gpt-oss-20b", createLmStudioGuise({ models: ["openai/gpt-oss-20b"], knowsResponses: true })],
  ["ollama", "gpt-5-codex", createOllamaGuise({ version: "0.13.4", models: ["gpt-5-codex"] })],
  ["llamacpp", "lab", createLlamaServerGuise({ model: "lab" })],
  ["vllm", "lab", createVllmGuise({ models: ["lab"] })],
  ["sglang", "lab", createVllmGuise({ models: ["lab"] })],
] as const)("%s is sent nothing that it does not know, whatever the model (%s)", async ([id, model, guise]) => {
  await using world = await openThreadWorld({ script: { turns }, guise });
  const config = [`model_provider=${id}`, `model=${model}`, `model_providers.${id}.base_url=${world.model.url}`];
  await using thread = await world.openThread({ config: [...config, "web_search=live", "model_reasoning_effort=low"] });
  const { outcome, events } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({ type: "completed", finalMessage: "Done." });
  expect(JSON.stringify(events)).toContain("web_search has no effect");
  expect(Object.keys(world.model.requests[1]?.body ?? {}).toSorted()).toEqual([...plainBody, "reasoning"].toSorted());
  expect(world.model.requests[1]?.body).toMatchObject({ reasoning: { effort: "low" } });
  expect(world.model.requests[0]?.headers).not.toHaveProperty("authorization");
});

test("your own plain server gets the features that its table supports, with its headers and query", async () => {
  const asked: string[] = [];
  const guise: Guise = {
    checks: { fields: false },
    answer: ({ url, headers }) => {
      asked.push(`${url} ${String(headers["x-team"])} ${String(headers["x-user"])} ${String(headers["x-none"])}`);
      return null;
    },
    findUnsupported: () => [],
  };
  await using world = await openThreadWorld({ script: { turns: [{ items: [{ text: "Hi." }] }] }, guise });
  const lacks = ["custom_tools", "encrypted_reasoning", "images", "prompt_cache_key", "reasoning_summaries", "store"];
  const table = [
    `query_params={v="1"}`,
    `http_headers={X-Team="a"}`,
    `env_http_headers={X-User="WHO",X-None="NONE"}`,
    ...lacks.map((name) => `supports_${name}=false`),
  ];
  const config = table.map((entry) => `model_providers.test.${entry}`);
  await using thread = await world.openThread({ config, env: { WHO: "ann", NONE: " " } });
  const image = [{ type: "image", dataUrl: "data:image/png;base64,AA==" }] as const;
  await expect(runToEnd(thread, image)).rejects.toMatchObject({ code: "images_unsupported" });
  await runToEnd(thread, "Go");
  const body = world.model.requests[0]?.body ?? {};
  expect(Object.keys(body).toSorted()).toEqual([...plainBody, "reasoning"].toSorted());
  expect(body).toMatchObject({
    reasoning: { effort: "medium" },
    tools: ["exec_command", "write_stdin", "apply_patch", "update_plan"].map((name) => ({ type: "function", name })),
  });
  // beside it the server is asked how large its window is, by the same headers and query
  expect(asked.toSorted()).toEqual(["/v1/models?v=1 a ann undefined", "/v1/responses?v=1 a ann undefined"]);
});

test("a thread of another provider continues with the items that the server supports", async () => {
  const guise = createOllamaGuise({ version: "0.13.4", models: ["gpt-oss:20b"] });
  const before = [{ search: "x" }, { custom: "apply_patch", input: patch }] as const;
  await using first = await openThreadWorld({ script: { turns: [{ items: before }, { items: [{ text: "Done." }] }] } });
  await using world = await openThreadWorld({ script: { turns: [{ items: [{ text: "On." }] }] }, guise });
  const entries: JournalEntry[] = [];
  const journal = { record: (entry: JournalEntry) => void entries.push(entry), settled: () => Promise.resolve() };
  await using thread = await first.openThread({ journal });
  await runToEnd(thread, "Go");
  const config = ["model_provider=ollama", "model=gpt-oss:20b", `model_providers.ollama.base_url=${world.model.url}`];
  await using resumed = await world.openThread({ config, entries: [...entries], allowCacheBreak: true });
  expect((await runToEnd(resumed, "On")).outcome).toMatchObject({ type: "completed", finalMessage: "On." });
  const { input = [] } = world.model.requests[0] ?? {};
  expect(input.filter(({ type }) => type !== "message")).toEqual([
    {
      type: "function_call",
      call_id: expect.any(String),
      name: "apply_patch",
      arguments: JSON.stringify({ input: patch }),
    },
    { type: "function_call_output", call_id: expect.any(String), output: expect.stringContaining("A a.txt") },
  ]);
});

interface World extends AsyncDisposable {
  readonly origin: string;
  check(model: string): Promise<ProviderHealth | null>;
}

/** A server in a guise, and a config for it. */
async function openServer(localProvider: "ollama" | "lmstudio", guise: Guise): Promise<World> {
  const server = await startScriptedModel({ script: { turns: [] }, guise });
  const context = { env: { CODEX_OSS_BASE_URL: server.url }, signal: new AbortController().signal };
  const load = (model: string): ReturnType<typeof loadConfig> =>
    loadConfig({
      codexHome: "/sys/nonexistent",
      cwd: "/",
      overrides: [],
      flags: { localProvider, keys: [{ key: "model", value: model, origin: "--model" }] },
      env: context.env,
    });
  return {
    origin: server.url.replace(/\/v1$/, ""),
    check: async (model) => checkProvider(await load(model), context),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

test("Ollama says how it is, and whether it can fetch a model", async () => {
  const guise = createOllamaGuise({ version: "0.13.4", models: ["a:1b", "b:latest"], library: ["c"] });
  await using server = await openServer("ollama", guise);
  const ready = { type: "ready", version: "0.13.4" };
  expect([await server.check("a:1b"), await server.check("b")]).toEqual([ready, ready]);
  expect(await server.check("c")).toEqual({
    type: "model_missing",
    message:
      "Ollama does not have the model c: get it with `ollama pull c`, or name another one with -m. It has a:1b, b:latest.",
    model: "c",
    models: ["a:1b", "b:latest"],
    canPull: true,
  });
});

test.for([
  ["0.13.3", "too_old"],
  ["0.9.10", "too_old"],
  ["0.13.4-rc1", "ready"],
  ["0.14", "ready"],
  ["1.0.0", "ready"],
  ["0.0.0", "ready"],
] as const)("Ollama %s is %s", async ([version, type]) => {
  await using server = await openServer("ollama", createOllamaGuise({ version, models: ["a"] }));
  const health = await server.check("a");
  expect(health).toMatchObject({ type });
  if (health?.type !== "too_old") return;
  expect(health.message).toBe(
    `Ollama ${version} at ${server.origin} is too old: 0.13.4 or newer is needed. Get it from https://ollama.com/download.`,
  );
});

test("LM Studio says how it is", async () => {
  const models = ["openai/gpt-oss-20b", "qwen/qwen3@q4_k_m"];
  await using server = await openServer("lmstudio", createLmStudioGuise({ models, knowsResponses: true }));
  const ready = { type: "ready", version: null };
  for (const name of ["openai/gpt-oss-20b", "gpt-oss-20b", "qwen/qwen3"])
    expect(await server.check(name)).toEqual(ready);
  expect(await server.check("x")).toMatchObject({
    type: "model_missing",
    canPull: false,
    message: expect.stringMatching(
      /^LM Studio does not have the model x: get it with `lms get x` and load it with `lms load x`/,
    ),
  });
  await using old = await openServer("lmstudio", createLmStudioGuise({ models, knowsResponses: false }));
  expect(await old.check("gpt-oss-20b")).toMatchObject({
    type: "too_old",
    message: expect.stringContaining("0.3.39 or newer is needed"),
  });
});

test.for(["ollama", "lmstudio"] as const)(
  "%s that does not run is reported, with the command that starts it",
  async (id) => {
    const server = await openServer(id, createOllamaGuise({ version: "1.0.0", models: [] }));
    await server[Symbol.asyncDispose]();
    const start = { ollama: "`ollama serve`", lmstudio: "`lms server start`" }[id];
    expect(await server.check("a")).toMatchObject({ type: "unreachable", message: expect.stringContaining(start) });
  },
);

test("another server in its place is taken as it is, and a service has nothing to be asked", async () => {
  const other: Guise = { checks: {}, answer: () => ({ status: 404, body: "not found" }), findUnsupported: () => [] };
  await using server = await openServer("ollama", other);
  expect(await server.check("a")).toEqual({ type: "ready", version: null });
  const service = await loadConfig({ codexHome: "/sys/nonexistent", cwd: "/", overrides: [], flags: {}, env: {} });
  expect(await checkProvider(service, { env: {}, signal: new AbortController().signal })).toBeNull();
});
