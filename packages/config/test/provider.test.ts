import { join } from "node:path";
import { isModelNamed, resolveCredential, resolveRequestParts } from "@unroll/config";
import { expect, test } from "vitest";
import { openaiProvider } from "./openai-provider.ts";
import { createTempHome, override } from "./temp-home.ts";

const local = `model_provider = "local"\n[model_providers.local]\nbase_url = "http://localhost:8080/v1/"\n`;

test("a provider of the user's own", async () => {
  await using home = await createTempHome({
    "config.toml": `${local}name = "Local"\nenv_key = "LOCAL_KEY"\nenv_key_instructions = "Ask Ann."\nwire_api = "responses"
query_params = { api-version = "2026-11-01" }\nhttp_headers = { X-A = "1", x-b = "2" }\nenv_http_headers = { X-B = "B", X-C = "C" }
request_max_retries = 0\nstream_max_retries = 1000\nstream_idle_timeout_ms = 5000\nresponse_timeout_ms = 7000\n`,
  });
  const { provider, webSearchMode } = await home.load();
  expect(provider).toMatchObject({
    id: "local",
    name: "Local",
    baseUrl: "http://localhost:8080/v1",
    envKeys: ["LOCAL_KEY"],
    envKeyInstructions: "Ask Ann.",
    requiresOpenaiAuth: false,
    requestMaxRetries: 0,
    streamMaxRetries: 100,
    streamIdleTimeoutMs: 5000,
    responseTimeoutMs: 7000,
    azure: false,
  });
  expect(webSearchMode).toBe("disabled");
  expect(resolveRequestParts(provider, { B: " three ", C: "  " })).toEqual({
    headers: { "X-A": "1", "X-B": "three" },
    query: { "api-version": "2026-11-01" },
  });
  expect(resolveRequestParts(provider, {}).headers).toEqual({ "X-A": "1", "x-b": "2" });
});

test("the OpenAI provider needs no table; its headers and address come from the environment", async () => {
  await using home = await createTempHome();
  const env = { OPENAI_BASE_URL: " http://127.0.0.1:9/v1 ", OPENAI_ORGANIZATION: "org", OPENAI_PROJECT: "" };
  const { provider } = await home.load({ env });
  expect(provider.baseUrl).toBe("http://127.0.0.1:9/v1");
  expect(resolveRequestParts(provider, env)).toEqual({ headers: { "OpenAI-Organization": "org" }, query: {} });
});

test("the address of the OpenAI provider: openai_base_url, its table, OPENAI_BASE_URL, default", async () => {
  const table = `[model_providers.openai]\nbase_url = "http://table/v1"\nrequest_max_retries = 9\n`;
  await using home = await createTempHome({ "config.toml": table });
  await using bare = await createTempHome();
  const env = { OPENAI_BASE_URL: "http://environment/v1" };
  const overrides = [override("openai_base_url", `"http://option/v1"`)];
  expect((await home.load({ env, overrides })).provider).toMatchObject({ baseUrl: "http://option/v1", name: "OpenAI" });
  expect((await home.load({ env })).provider).toMatchObject({ baseUrl: "http://table/v1", requestMaxRetries: 9 });
  expect((await bare.load({ env })).provider.baseUrl).toBe("http://environment/v1");
  expect((await bare.load({ env: { OPENAI_BASE_URL: " " } })).provider.baseUrl).toBe("https://api.openai.com/v1");
});

test("a key comes from the first of the provider's variables that is set", async () => {
  await using home = await createTempHome({
    "config.toml": `[model_providers.own]\nbase_url = "http://a"\nenv_key = "OWN"`,
  });
  const openai = (await home.load()).provider;
  const both = { OPENAI_API_KEY: "sk-1", CODEX_API_KEY: "sk-2" };
  expect(resolveCredential(openai, both)).toEqual({ type: "bearer", token: "sk-2", envName: "CODEX_API_KEY" });
  expect(resolveCredential(openai, { ...both, CODEX_API_KEY: " " })).toEqual({
    type: "bearer",
    token: "sk-1",
    envName: "OPENAI_API_KEY",
  });
  expect(resolveCredential(openai, {})).toEqual({
    type: "missing",
    envName: "OPENAI_API_KEY",
    instructions: "Create one at https://platform.openai.com/api-keys.",
    takesLogin: true,
    takesKey: true,
  });
  const own = (await home.load({ overrides: [override("model_provider", "own")] })).provider;
  expect(resolveCredential(own, { OWN: "sk-3\n" })).toEqual({ type: "bearer", token: "sk-3", envName: "OWN" });
  expect(resolveCredential(own, both)).toEqual({
    type: "missing",
    envName: "OWN",
    instructions: null,
    takesLogin: false,
    takesKey: true,
  });
});

test("a token in the file is used first; a provider without key or token wants none", async () => {
  await using home = await createTempHome({ "config.toml": local });
  const { provider } = await home.load();
  expect(resolveCredential(provider, { OPENAI_API_KEY: "sk" })).toEqual({ type: "none" });
  const overrides = [override("model_providers.local", `{ experimental_bearer_token = "t0ken", env_key = "K" }`)];
  expect(resolveCredential((await home.load({ overrides })).provider, { K: "sk" })).toEqual({
    type: "bearer",
    token: "t0ken",
    envName: null,
  });
});

test.for([
  ["azure", "http://localhost/v1", true],
  ["own", "https://me.openai.azure.com/openai/v1", true],
  ["own", "https://gateway.azure-api.net/openai", true],
  ["own", "https://azure.com.evil.example/v1", false],
] as const)("provider %s at %s is Azure: %s", async ([id, url, azure]) => {
  await using home = await createTempHome({
    "config.toml": `model_provider = "${id}"\n[model_providers.${id}]\nbase_url = "${url}"\n`,
  });
  expect((await home.load()).provider.azure).toBe(azure);
});

const everything = Object.keys(openaiProvider.takes);

/** The features that a provider accepts, by their names. */
async function listTaken(table: string): Promise<readonly string[]> {
  await using home = await createTempHome({
    "config.toml": `model = "gpt-oss"\nmodel_provider = "own"\n[model_providers.own]\n${table}\n`,
  });
  const { takes } = (await home.load()).provider;
  return Object.entries(takes).flatMap(([feature, isTaken]) => (isTaken ? [feature] : []));
}

const plain = ["images", "reasoningItems"];
const here = `base_url = "http://localhost:8080/v1"`;
test.for([
  ["nobody says what it is", here, plain],
  ["it is a gateway to OpenAI", `${here}\npreset = "openai"`, everything],
  ["single keys go over a preset", `${here}\npreset = "vllm"\nsupports_store = true`, [...plain, "store"]],
  ["single keys alone are as before", `${here}\nsupports_images = false`, without("compaction", "images")],
  ["OpenAI is known by its host", `base_url = "https://eu.api.openai.com/v1"`, everything],
  ["OpenRouter is known by its host", `base_url = "https://openrouter.ai/api/v1"`, [...plain, "repeatedRoles"]],
  ["Azure is known by its host", `base_url = "https://me.openai.azure.com/openai/v1"`, without("compaction")],
  ["another host is not OpenAI's", `base_url = "https://api.openai.com.example/v1"`, plain],
  [
    "a key that came with the presets is no sign of an old table",
    `${here}\nsupports_repeated_roles = true`,
    [...plain, "repeatedRoles"],
  ],
] as const)("what a provider takes: %s", async ([, table, taken]) => {
  expect(await listTaken(table)).toEqual(taken);
});

function without(...features: readonly string[]): readonly string[] {
  return everything.filter((feature) => !features.includes(feature));
}

test.for([
  ["at llama.cpp", "qwen", `base_url = "http://gpu:8080/v1"\npreset = "llama.cpp"`, false],
  ["on this machine", "qwen", here, false],
  ["on this machine by number", "qwen", `base_url = "http://127.0.0.1:8000/v1"`, false],
  ["on this machine by IPv6", "qwen", `base_url = "http://[::1]:8000/v1"`, false],
  ["elsewhere", "qwen", `base_url = "http://gpu:8000/v1"`, true],
  ["at vLLM", "qwen", `${here}\npreset = "vllm"`, true],
  ["where it is known to reason", "gpt-oss", here, true],
  ["where the user says so", "qwen", `${here}\nsupports_reasoning_items = true`, true],
  ["where the user says no", "gpt-oss", `${here}\nsupports_reasoning_items = false`, false],
] as const)("whether a model gets its reasoning back: %s", async ([, model, table, isSentBack]) => {
  await using home = await createTempHome({
    "config.toml": `model = "${model}"\nmodel_provider = "own"\n[model_providers.own]\n${table}\n`,
  });
  expect((await home.load()).provider.takes.reasoningItems).toBe(isSentBack);
});

test("an unknown preset is an error, and a preset that is probably missing gives a warning", async () => {
  const toConfig = (model: string, preset: string): string =>
    `model = "${model}"\nmodel_provider = "own"\n[model_providers.own]\n${here}\n${preset}\n`;
  await using wrong = await createTempHome({ "config.toml": toConfig("gpt-5", `preset = "openia"`) });
  expect((await wrong.loadError()).message).toContain('"openia" (did you mean "openai"?)');
  const told: unknown[] = [];
  for (const [model, preset] of [
    ["gpt-5", ""],
    ["gpt-5", `preset = "openai"`],
    ["gpt-5", "supports_store = false"],
    ["gpt-oss", ""],
  ] as const) {
    await using home = await createTempHome({ "config.toml": toConfig(model, preset) });
    told.push((await home.load()).warnings.map(({ message }) => message));
  }
  const gateway = `If it is a gateway to OpenAI, set model_providers.own.preset = "openai".`;
  expect(told).toEqual([[expect.stringContaining(gateway)], [], [], []]);
});

test("a provider that is not there", async () => {
  await using home = await createTempHome({ "config.toml": `\nmodel_provider = "opnai"` });
  expect(await home.loadError()).toMatchObject({
    code: "provider_unknown",
    line: 2,
    message: `${home.configFile}:2:1: model_provider names the provider "opnai", but there is no table [model_providers.opnai] with its base_url. Did you mean "openai"?`,
  });
  expect((await home.loadError({ overrides: [override("model_provider", "toString")] })).code).toBe("provider_unknown");
});

const remedy = `set it to the base address before /responses, such as "http://localhost:8080/v1".`;
test.for([
  [``, "2:1", "is missing"],
  [`base_url = "localhost:8080"`, "3:1", "does not start with http:// or https://"],
  [
    `base_url = "https://ann:s3cret@host/v1"`,
    "3:1",
    "has a user name or password (put it into a variable that env_key names)",
  ],
  [`base_url = "https://host/v1?key=s3cret"`, "3:1", "has a query or fragment (put it into query_params)"],
] as const)("an address that cannot be used: %j", async ([line, place, fault]) => {
  await using home = await createTempHome({ "config.toml": `model_provider = "a"\n[model_providers.a]\n${line}` });
  expect(await home.loadError()).toMatchObject({
    code: "provider_invalid",
    message: `${home.configFile}:${place}: model_providers.a.base_url ${fault}: ${remedy}`,
  });
});

test("an error about an unusable address in the environment names the variable", async () => {
  await using home = await createTempHome();
  expect((await home.loadError({ env: { OPENAI_BASE_URL: "nonsense" } })).message).toBe(
    `$OPENAI_BASE_URL: model_providers.openai.base_url does not start with http:// or https://: ${remedy}`,
  );
});

test("a command gives the key where no variable has one", async () => {
  const table = `base_url = "http://a"\nenv_key = "OWN"\nauth_command = ["vault", "read", "my key"]`;
  await using home = await createTempHome({ "config.toml": `model_provider = "own"\n[model_providers.own]\n${table}` });
  const { provider } = await home.load();
  const command = {
    configKey: "model_providers.own.auth_command",
    argv: ["vault", "read", "my key"],
    timeoutMs: 10_000,
    refreshMs: null,
    cwd: null,
  };
  expect(resolveCredential(provider, {})).toEqual({ type: "command", command });
  expect(resolveCredential(provider, { OWN: "sk-3" })).toMatchObject({ type: "bearer", token: "sk-3" });
});

test("the table auth of the Codex CLI is such a command, with its folder and its age", async () => {
  const config = (auth: string): Record<string, string> => ({
    "config.toml": `model_provider = "own"\n[model_providers.own]\nbase_url = "http://a"\n${auth}`,
  });
  await using home = await createTempHome(config(`auth = { command = "bin/key", args = ["a"], cwd = "keys" }`));
  expect((await home.load()).provider.authCommand).toEqual({
    configKey: "model_providers.own.auth",
    argv: [join(home.path, ".codex/keys/bin/key"), "a"],
    timeoutMs: 5000,
    refreshMs: 300_000,
    cwd: join(home.path, ".codex/keys"),
  });
  await using twice = await createTempHome(config(`auth = { command = "a" }\nauth_command = ["b"]`));
  expect(await twice.loadError()).toMatchObject({ code: "provider_invalid", line: 4 });
});

test("forced_login_method = chatgpt takes no key, where OpenAI's login is wanted at all", async () => {
  await using home = await createTempHome({
    "config.toml": `forced_login_method = "chatgpt"\n[model_providers.own]\nbase_url = "http://a"\nenv_key = "OWN"`,
  });
  const env = { OPENAI_API_KEY: "sk-1", OWN: "sk-2" };
  const { provider, login } = await home.load();
  expect(login.method).toBe("chatgpt");
  expect(resolveCredential(provider, env)).toMatchObject({ type: "missing", takesLogin: true, takesKey: false });
  const own = await home.load({ overrides: [override("model_provider", "own")] });
  expect(resolveCredential(own.provider, env)).toMatchObject({ type: "bearer", token: "sk-2" });
});

test("requests with a login have an address of their own, until somebody moves the provider", async () => {
  await using home = await createTempHome({ "config.toml": `chatgpt_base_url = "http://localhost:1/back/"` });
  const urlOf = async (sources: Parameters<typeof home.load>[0]): Promise<string | null> =>
    (await home.load(sources)).provider.loginBaseUrl;
  expect(await urlOf({})).toBe("http://localhost:1/back/codex");
  expect(await urlOf({ overrides: [override("openai_base_url", "http://a/v1")] })).toBeNull();
  expect(await urlOf({ env: { OPENAI_BASE_URL: "http://a/v1" } })).toBeNull();
  expect(await urlOf({ overrides: [override("model_providers.openai.base_url", "http://a/v1")] })).toBeNull();
});

test("a login is sent to no address that others can listen to", async () => {
  await using home = await createTempHome();
  const issuer = (text: string): Promise<unknown> => home.load({ overrides: [override("login.issuer", text)] });
  await expect(issuer("https://login.example/tenant/")).resolves.toMatchObject({
    login: { issuer: "https://login.example/tenant" },
  });
  await expect(issuer("http://localhost:3000")).resolves.toBeDefined();
  for (const bad of ["http://login.example", "login.example", "https://me:key@login.example", "https://a/?b=c"]) {
    await expect(issuer(bad)).rejects.toThrow("login.issuer must be an https:// address");
  }
});

test("Azure needs the address of a resource, and sends its key in a header of its own", async () => {
  await using home = await createTempHome({ "config.toml": `model_provider = "azure"` });
  expect((await home.loadError()).message).toBe(
    `built in: model_providers.azure.base_url is missing: set it to the base address before /responses, such as "https://NAME.openai.azure.com/openai/v1". Or set AZURE_OPENAI_BASE_URL to it.`,
  );
  const env = { AZURE_OPENAI_BASE_URL: "https://me.openai.azure.com/openai/v1/", AZURE_OPENAI_API_KEY: "k3y" };
  const { provider, secretNames } = await home.load({ env });
  expect(provider).toMatchObject({ baseUrl: "https://me.openai.azure.com/openai/v1", azure: true });
  expect(resolveCredential(provider, env)).toEqual({
    type: "header",
    header: "api-key",
    token: "k3y",
    envName: "AZURE_OPENAI_API_KEY",
  });
  expect(secretNames).toContain("AZURE_OPENAI_API_KEY");
  const bearer = await home.load({ env, overrides: [override("model_providers.azure.key_header", "Authorization")] });
  expect(resolveCredential(bearer.provider, env)).toMatchObject({ type: "bearer", token: "k3y" });
});

const ollama = { provider: { id: "ollama", baseUrl: "http://localhost:11434/v1" }, model: "gpt-oss:20b" };
const lmstudio = { provider: { id: "lmstudio", baseUrl: "http://localhost:1234/v1" }, model: "openai/gpt-oss-20b" };

test.for([
  ["", { oss: true }, ollama],
  [`model = "gpt-5"`, { oss: true }, ollama],
  [`oss_provider = "lmstudio"`, { oss: true }, lmstudio],
  [`oss_provider = "ollama"`, { oss: true, localProvider: "lmstudio" }, lmstudio],
  ["", { localProvider: "lmstudio" }, lmstudio],
  ["", { oss: true, model: "qwen3" }, { ...ollama, model: "qwen3" }],
  [`model = "qwen3"\nmodel_provider = "ollama"`, { oss: true }, { ...ollama, model: "qwen3" }],
  ["", { localProvider: "llamacpp" }, { provider: { id: "llamacpp", baseUrl: "http://localhost:8080/v1" } }],
  [`oss_provider = "vllm"`, { oss: true }, { provider: { id: "vllm", baseUrl: "http://localhost:8000/v1" } }],
  ["", { localProvider: "sglang", model: "a" }, { provider: { baseUrl: "http://localhost:30000/v1" }, model: "a" }],
] as const)("a model on this machine: with %j and %j", async ([toml, flags, expected]) => {
  await using home = await createTempHome({ "config.toml": toml });
  expect(await home.load({ flags })).toMatchObject(expected);
});

test.for([
  ["openai", "hyphen"],
  ["azure", "hyphen"],
  ["local", "hyphen"],
  ["ollama", "none"],
  ["lmstudio", "none"],
  ["llamacpp", "none"],
  ["vllm", "none"],
  ["sglang", "none"],
] as const)(
  "the provider %s gets the thread in the headers %s, unless its table says otherwise",
  async ([id, expected]) => {
    const azure = `[model_providers.azure]\nbase_url = "https://me.openai.azure.com/openai/v1"\n`;
    await using home = await createTempHome({ "config.toml": local + azure });
    const overrides = [override("model_provider", id)];
    expect((await home.load({ overrides })).provider.threadHeaders).toBe(expected);
    const both = [...overrides, override(`model_providers.${id}.thread_headers`, "both")];
    expect((await home.load({ overrides: both })).provider.threadHeaders).toBe("both");
  },
);
test("which model is meant where nobody names one depends on the provider", async () => {
  const toml = `[model_providers.own]\nbase_url = "http://box/v1"\n[model_providers.proxy]\nbase_url = "http://box/v1"\nrequires_openai_auth = true\n`;
  await using home = await createTempHome({ "config.toml": toml });
  const env = { AZURE_OPENAI_BASE_URL: "https://me.openai.azure.com/openai/v1" };
  const isNamed = async (provider: string, flags: Parameters<typeof home.load>[0] = {}): Promise<unknown> => {
    const config = await home.load({ env, overrides: [override("model_provider", provider)], ...flags });
    return [config.provider.unnamedModel, isModelNamed(config)];
  };
  expect(await isNamed("openai")).toEqual(["default", true]);
  expect(await isNamed("proxy")).toEqual(["default", true]);
  expect(await isNamed("azure")).toEqual(["none", false]);
  expect(await isNamed("own")).toEqual(["listed", false]);
  expect(await isNamed("own", { flags: { model: "m" }, overrides: [override("model_provider", "own")] })).toEqual([
    "listed",
    true,
  ]);
});

test("a model that is named for another provider is not that of a server that says itself which one it has", async () => {
  await using home = await createTempHome({ "config.toml": `model = "gpt-5"` });
  const other = await home.load({ flags: { localProvider: "llamacpp" } });
  expect([other.origins.has("model"), isModelNamed(other)]).toEqual([false, false]);
  await using own = await createTempHome({ "config.toml": `model = "mine"\nmodel_provider = "llamacpp"` });
  expect((await own.load({ flags: { localProvider: "llamacpp" } })).model).toBe("mine");
});

test("the address of a model on this machine comes from the environment", async () => {
  await using home = await createTempHome();
  const urlOf = async (env: Readonly<Record<string, string>>): Promise<string> =>
    (await home.load({ env, flags: { oss: true } })).provider.baseUrl;
  expect(await urlOf({ CODEX_OSS_PORT: "9" })).toBe("http://localhost:9/v1");
  expect(await urlOf({ CODEX_OSS_PORT: "9", CODEX_OSS_BASE_URL: "http://box:1/v1" })).toBe("http://box:1/v1");
});

test("what a server does not support is not asked of it, and a warning says so where it was wished for", async () => {
  await using home = await createTempHome({ "config.toml": `model = "gpt-5"\nmodel_reasoning_summary = "detailed"` });
  const plain = await home.load({ flags: { localProvider: "ollama", model: "gpt-5" } });
  expect(plain.warnings.map(({ message }) => message)).toEqual([
    "model_reasoning_summary has no effect: the provider Ollama does not support it.",
  ]);
  const overrides = [override("web_search", "live"), override("model_providers.ollama.supports_custom_tools", "true")];
  const { modelFamily, webSearchMode, warnings } = await home.load({ overrides, flags: { oss: true, model: "gpt-5" } });
  expect([plain.modelFamily.applyPatchTool, modelFamily.applyPatchTool, webSearchMode]).toEqual([
    "function",
    "custom",
    "disabled",
  ]);
  expect(warnings.map(({ key }) => key)).toEqual(["web_search", "model_reasoning_summary"]);
});
