import { createServer, type RequestListener, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { loadConfig } from "@unroll/config";
import { checkProvider, findLocalServers, findModelChoice, openThread } from "@unroll/harness";
import {
  createLlamaServerGuise,
  createLmStudioGuise,
  createOllamaGuise,
  createVllmGuise,
  type Guise,
  startScriptedModel,
} from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { createTestHost } from "./test-host.ts";
import { openThreadWorld, runToEnd } from "./thread-world.ts";

const never = new AbortController().signal;
const portOf = (url: string): number => Number(new URL(url).port);

async function listen(
  answer: RequestListener,
): Promise<AsyncDisposable & { readonly port: number; readonly server: Server }> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    server,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const guises = {
  ollama: createOllamaGuise({ version: "1.0.0", models: ["a:1b", "b:1b"] }),
  lmstudio: createLmStudioGuise({ models: ["c"], knowsResponses: true }),
  llamacpp: createLlamaServerGuise({ model: "d" }),
  vllm: createVllmGuise({ models: ["e"] }),
} as const;

test("servers of models on this machine are known by their lists, and nothing is sent to them but a GET", async () => {
  const servers = await Promise.all(
    Object.values(guises).map((guise) => startScriptedModel({ script: { turns: [] }, guise })),
  );
  await using closing = new AsyncDisposableStack();
  for (const server of servers) closing.use(server);
  const heard: unknown[] = [];
  await using plain = await listen(({ method, url, headers }, response) => {
    heard.push([method, url, headers.authorization, headers["user-agent"]]);
    response.end(JSON.stringify({ data: [{ id: "f", owned_by: "me" }] }));
  });
  const ports = [...servers.map(({ url }) => portOf(url)), plain.port];
  const found = await findLocalServers(ports, never);
  expect(found.map(({ provider, models }) => [provider, models])).toEqual([
    ["ollama", ["a:1b", "b:1b"]],
    ["lmstudio", ["c"]],
    ["llamacpp", ["d"]],
    ["vllm", ["e"]],
    [null, ["f"]],
  ]);
  expect(found[4]).toEqual({
    provider: null,
    baseUrl: `http://127.0.0.1:${plain.port}/v1`,
    port: plain.port,
    models: ["f"],
  });
  expect(heard).toEqual([["GET", "/v1/models", undefined, undefined]]);
});

test("a server that loads its model is known by its header", async () => {
  const guise = createLlamaServerGuise({ model: "d", loadingAnswers: 1 });
  await using server = await startScriptedModel({ script: { turns: [] }, guise });
  expect(await findLocalServers([portOf(server.url)], never)).toMatchObject([{ provider: "llamacpp", models: [] }]);
});

test.for<readonly [string, RequestListener]>([
  ["is silent", () => {}],
  ["never ends its answer", (_request, response) => void response.write('{"data":[')],
  ["has no list", (_request, response) => void response.writeHead(404).end("no")],
  ["has a page", (_request, response) => void response.end("<html>")],
  ["sends too much", (_request, response) => void response.end(`{"data":[],"x":"${"x".repeat(300_000)}"}`)],
  [
    "redirects",
    (_request, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/v1/models" }).end(),
  ],
])("a server that %s is none", async ([, answer]) => {
  await using server = await listen(answer);
  expect(await findLocalServers([server.port, 1], never)).toEqual([]);
});

test("no proxy hears of the look around", async () => {
  const heard: unknown[] = [];
  await using proxy = await listen(({ url }, response) => {
    heard.push(url);
    response.end();
  });
  await using server = await startScriptedModel({ script: { turns: [] }, guise: guises.vllm });
  const before = { ...process.env };
  Object.assign(process.env, { http_proxy: `http://127.0.0.1:${proxy.port}`, NODE_USE_ENV_PROXY: "1" });
  try {
    expect(await findLocalServers([portOf(server.url)], never)).toHaveLength(1);
  } finally {
    for (const name of ["http_proxy", "NODE_USE_ENV_PROXY"]) delete process.env[name];
    Object.assign(process.env, before);
  }
  expect(heard).toEqual([]);
});

/** The result for a config that names a server and no model. */
async function choose(guise: Guise, overrides: readonly string[] = []): Promise<unknown> {
  await using server = await startScriptedModel({ script: { turns: [] }, guise });
  const config = await loadConfig({
    codexHome: "/sys/nonexistent",
    cwd: "/",
    flags: {},
    env: {},
    overrides: [`model_providers.own.base_url=${server.url}`, "model_provider=own", ...overrides].map((text) => {
      const [key = "", value = ""] = text.split(/=(.*)/s);
      return { key, value, origin: "-c" };
    }),
  });
  const told = await findModelChoice(config, { host: createTestHost({}, "/"), userAgent: "test", signal: never });
  return JSON.parse(JSON.stringify(told).replaceAll(server.url, "URL"));
}

test("without a name, the only model of a server that is not OpenAI's is meant", async () => {
  const only = { type: "only", model: "d" };
  expect(await choose(guises.llamacpp)).toEqual(only);
  expect(await choose(createLmStudioGuise({ models: ["d", "text-embedding-nomic"], knowsResponses: true }))).toEqual(
    only,
  );
  expect(await choose(guises.ollama)).toEqual({
    type: "open",
    models: ["a:1b", "b:1b"],
    message: "No model is named, and own has 2: a:1b, b:1b. Choose: name one with -m, or set model in config.toml.",
  });
  expect(await choose(createVllmGuise({ models: [] }))).toMatchObject({
    message: "No model is named, and own lists none: name one with -m, or set model in config.toml.",
  });
  expect(await choose(guises.llamacpp, ["model=x"])).toEqual({ type: "named" });
  const azure = ["model_providers.own.name=Azure"];
  expect(await choose(guises.llamacpp, azure)).toMatchObject({
    type: "open",
    message: expect.stringContaining("the name of your deployment, which no list has"),
  });
});

test("a program that names no model gets the only one, or an error with the list", async () => {
  const open = async (guise: Guise): Promise<unknown> => {
    await using server = await startScriptedModel({ script: { turns: [{ items: [{ text: "Hi." }] }] }, guise });
    const keys = { model_provider: "llamacpp", model_providers: { llamacpp: { base_url: server.url } } };
    const settings = {
      codexHome: "/sys/nonexistent",
      sandboxMode: "danger-full-access",
      approvalPolicy: "never",
      keys,
    } as const;
    await using thread = await openThread({ host: createTestHost({}, "/"), config: settings });
    await thread.run("Hi");
    return server.requests[0]?.body["model"];
  };
  expect(await open(guises.llamacpp)).toBe("d");
  await expect(open(guises.ollama)).rejects.toMatchObject({
    code: "model_unnamed",
    message: expect.stringContaining("llama.cpp has 2: a:1b, b:1b"),
  });
});

test("a run at a server with chat completions alone says so", async () => {
  const guise = createLlamaServerGuise({ model: "d", knowsResponses: false });
  await using world = await openThreadWorld({ script: { turns: [] }, guise });
  await using thread = await world.openThread();
  const { outcome } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({
    type: "failed",
    error: {
      message: `The server at ${world.model.url} has no /responses, only /chat/completions, which unroll does not use. Update it, or put a server in front of it that has /responses.`,
    },
  });
});

test("a 404 about the model stays one", async () => {
  await using world = await openThreadWorld({ script: { turns: [] }, guise: guises.vllm });
  const config = ["model_provider=vllm", `model_providers.vllm.base_url=${world.model.url}`];
  await using thread = await world.openThread({ config });
  expect((await runToEnd(thread, "Go")).outcome).toMatchObject({
    type: "failed",
    error: { message: expect.stringContaining("The model `gpt-5-codex` does not exist.") },
  });
});

test.for(["llamacpp", "vllm", "sglang"] as const)("%s says how it is, and how to start it", async (localProvider) => {
  const load = (url: string, model?: string): ReturnType<typeof loadConfig> =>
    loadConfig({
      codexHome: "/sys/nonexistent",
      cwd: "/",
      overrides: [],
      flags: { localProvider, keys: [{ key: "model", value: model, origin: "--model" }] },
      env: { CODEX_OSS_BASE_URL: url },
    });
  const context = { env: {}, signal: never };
  const server = await startScriptedModel({ script: { turns: [] }, guise: guises.vllm });
  expect(await checkProvider(await load(server.url), context)).toEqual({ type: "ready", version: null });
  const other = await checkProvider(await load(server.url, "x"), context);
  expect(other?.type).toBe(localProvider === "llamacpp" ? "ready" : "model_missing");
  await server.close();
  const start = { llamacpp: "`llama-server -m", vllm: "`vllm serve", sglang: "sglang.launch_server" }[localProvider];
  expect(await checkProvider(await load(server.url), context)).toMatchObject({
    type: "unreachable",
    message: expect.stringContaining(start),
  });
});
