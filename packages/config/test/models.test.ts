import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeShutdown, findModelPrice, saveProviderList, listModels } from "@unroll/config";
import { describe, expect, test } from "vitest";
import { createTempHome, override } from "./temp-home.ts";

const warningsOf = (config: { readonly warnings: readonly { readonly message: string }[] }): readonly string[] =>
  config.warnings.map(({ message }) => message);

describe("a model that nobody knows", () => {
  test.for([
    ["gpt-5.9-max", "gpt-5", "gpt-5", 272_000],
    ["gpt-5.3-codex-pro", "gpt-5.3-codex", "gpt-5-codex", 272_000],
    ["gpt-6.4-nova", "gpt-6", "gpt-5", 272_000],
    ["vendor/gpt-oss-500b", "gpt-oss", "gpt-oss", 128_000],
  ] as const)("%s is treated like %s, with one warning", async ([model, like, family, window]) => {
    await using home = await createTempHome();
    const config = await home.load({ flags: { model } });
    expect(config.modelFamily).toMatchObject({ id: family, contextWindow: window, efforts: null });
    expect(warningsOf(config)).toEqual([expect.stringContaining(`it is treated like ${like}, with`)]);
    expect(findModelPrice(config.catalogue, model, "openai")).toBe(null);
  });

  test("is not a prefix of another number, and a misspelt name gives a suggestion", async () => {
    await using home = await createTempHome();
    expect((await home.load({ flags: { model: "gpt-50" } })).modelFamily.id).toBe("default");
    const slip = await home.load({ flags: { model: "gtp-5-codex" } });
    expect(warningsOf(slip)).toEqual([expect.stringContaining("Did you mean gpt-5-codex?")]);
  });
});

describe("when nothing is set, the catalogue says what is sent to", () => {
  test.for([
    // model, effort, verbosity, reasoning.context
    ["gpt-6.2-sol", "low", "low", "all_turns"],
    ["gpt-6.1-sol", "low", "low", "all_turns"],
    ["gpt-6.1-terra", "low", "low", "all_turns"],
    ["gpt-6-astra", "low", "low", "all_turns"],
    ["gpt-6-sol", "medium", "low", "all_turns"],
    ["gpt-6-luna", "medium", "low", "all_turns"],
    ["gpt-5.6", "low", "low", "all_turns"],
    ["gpt-5.6-sol", "low", "low", "all_turns"],
    ["gpt-5.6-terra", "medium", "low", "all_turns"],
    ["gpt-5.6-luna", "medium", "low", "all_turns"],
    ["gpt-5.5", "medium", "low", null],
    ["gpt-5.4", "medium", "low", null],
    ["gpt-5.4-mini", null, null, null],
    ["gpt-5.3-codex", "medium", null, null],
    ["gpt-5.2", "medium", "low", null],
    ["gpt-5.2-2025-12-11", "medium", "low", null],
    ["gpt-5.1", "medium", "low", null],
    ["gpt-5.1-codex-mini", null, null, null],
    ["gpt-5", "medium", null, null],
    ["gpt-5-nano", null, null, null],
    ["gpt-5-codex", "medium", null, null],
    ["gpt-oss:20b", null, null, null],
    ["gpt-5.2-pro", null, null, null],
    ["llama-9", null, null, null],
  ] as const)("%s", async ([model, effort, verbosity, reasoningContext]) => {
    await using home = await createTempHome();
    const config = await home.load({ flags: { model } });
    expect(config).toMatchObject({ reasoningEffort: effort, verbosity, reasoningContext });
  });
});

test("what the user sets wins over the catalogue, and a table over what comes with the program", async () => {
  await using home = await createTempHome({
    "config.toml": `model = "gpt-5.2"
[models."gpt-5.2"]
context_window = 100_000
[models."gpt-5.1"]
default_effort = "high"
sent_verbosity = "medium"
[models."gpt-5.6"]
default_effort = "high"
sent_effort = "max"
sent_reasoning_context = "current_turn"
[models."gpt-5.5"]
efforts = ["high"]
[models."gpt-5.4"]
efforts = []
`,
  });
  const shown = async (model: string, ...overrides: readonly ReturnType<typeof override>[]) => {
    const { reasoningEffort, verbosity, reasoningContext, warnings } = await home.load({ flags: { model }, overrides });
    return [reasoningEffort, verbosity, reasoningContext, ...warnings.map(({ message }) => message)];
  };
  expect(await shown("gpt-5.2")).toEqual(["medium", "low", null]);
  expect(await shown("gpt-5.1")).toEqual(["high", "medium", null]);
  expect(await shown("gpt-5.6")).toEqual(["max", "low", "current_turn"]);
  const set = [
    override("model_reasoning_effort", "low"),
    override("model_verbosity", "high"),
    override("model_reasoning_context", "all_turns"),
  ];
  expect(await shown("gpt-5.6", ...set)).toEqual(["low", "high", "all_turns"]);
  expect(await shown("gpt-5.6", override("model_reasoning_context", "auto"))).toEqual(["max", "low", null]);
  expect(await shown("llama-9", ...set)).toEqual(["low", "high", "all_turns", expect.stringContaining("is unknown")]);
  expect(await shown("gpt-5.4")).toEqual([null, "low", null]);
  expect(await shown("gpt-5.5")).toEqual([
    null,
    "low",
    null,
    'gpt-5.5 does not support effort "medium", only high. None is sent. Set models."gpt-5.5".sent_effort to one of these, or model_reasoning_effort.',
  ]);
});

test("a plain server is sent an effort, and nothing else that the user does not set", async () => {
  await using home = await createTempHome({ "config.toml": `model_provider = "ollama"\nmodel = "gpt-5.6"\n` });
  const own = await home.load();
  expect(own).toMatchObject({ reasoningEffort: "low", verbosity: null, reasoningContext: null });
  const overrides = [override("model_verbosity", "low"), override("model_reasoning_context", "all_turns")];
  expect(await home.load({ overrides })).toMatchObject({ verbosity: "low", reasoningContext: "all_turns" });
});

describe("a warning about an effort that the model does not take lists those that it takes", () => {
  test.for([
    ["gpt-5-codex", "ultra", "low, medium, high"],
    ["gpt-5-codex", "minimal", "low, medium, high"],
    ["gpt-5", "none", "minimal, low, medium, high"],
    ["gpt-5-2025-08-07", "xhigh", "minimal, low, medium, high"],
    ["gpt-5-codex", "tremendous", "low, medium, high"],
  ] as const)("%s and %s", async ([model, effort, taken]) => {
    await using home = await createTempHome({ "config.toml": `\nmodel_reasoning_effort = "${effort}"\n` });
    const { reasoningEffort, warnings } = await home.load({ flags: { model } });
    expect(reasoningEffort).toBe(effort);
    const message = `${home.configFile}:2:1: model_reasoning_effort: ${model} does not support effort "${effort}", only ${taken}. Threads cannot start with it.`;
    expect(warnings).toMatchObject([{ code: "effort_refused", message, origin: { line: 2 } }]);
    expect((await home.loadError({ flags: { model }, strict: true })).code).toBe("config_not_strict");
  });
});

describe("a parameter that the model is known not to have is not sent, and told", () => {
  test("an effort, except the one that says the same", async () => {
    await using home = await createTempHome({ "config.toml": "[models.mute]\nefforts = []\ncontext_window = 8192\n" });
    const load = (effort: string) =>
      home.load({ flags: { model: "mute" }, overrides: [override("model_reasoning_effort", effort)] });
    expect(await load("none")).toMatchObject({ reasoningEffort: null, warnings: [] });
    const config = await load("high");
    expect(config).toMatchObject({ reasoningEffort: null, modelFamily: { supportsReasoning: false } });
    expect(warningsOf(config)).toEqual([
      "-c: model_reasoning_effort is not sent: mute does not support it. Unset it, or set models.mute.efforts if it does.",
    ]);
  });

  test("verbosity, summaries and the context of reasoning", async () => {
    await using home = await createTempHome();
    const overrides = [
      override("model_verbosity", "low"),
      override("model_reasoning_summary", "detailed"),
      override("model_reasoning_context", "all_turns"),
      override("models.gpt-5-codex.supports_reasoning_summaries", "false"),
    ];
    const config = await home.load({ flags: { model: "gpt-5-codex" }, overrides });
    expect(config).toMatchObject({ verbosity: null, reasoningSummary: "none", reasoningContext: null });
    expect(warningsOf(config)).toEqual([
      "-c: model_verbosity is not sent: gpt-5-codex does not support it. Unset it, or set models.gpt-5-codex.supports_verbosity = true if it does.",
      "-c: model_reasoning_summary is not sent: gpt-5-codex does not support it. Unset it, or set models.gpt-5-codex.supports_reasoning_summaries = true if it does.",
      '-c: model_reasoning_context is not sent: gpt-5-codex does not support it. Unset it, or set models.gpt-5-codex.sent_reasoning_context = "all_turns" if it does.',
    ]);
  });
});

test("a table says what a model is, and changes single keys of one that is known", async () => {
  await using home = await createTempHome({
    "config.toml": `model = "llama-9"
[models.llama-9]
family = "gpt-oss"
context_window = 200_000
auto_compact_token_limit = 150_000
efforts = ["low", "high"]
default_effort = "high"
supports_images = true
instructions_file = "llama.md"
[models.llama-9.price]
input = 1
cached_input = 0.5
cache_write = 2
output = 2
long = { above = 100_000, input = 2, cached_input = 1, output = 4 }
[models.gpt-5-codex]
efforts = ["low", "medium", "high", "xhigh"]
`,
  });
  const { modelFamily, reasoningEffort, compaction, modelInstructionsFile, warnings, catalogue } = await home.load();
  expect({ modelFamily, reasoningEffort, warnings }).toMatchObject({
    modelFamily: { id: "gpt-oss", contextWindow: 200_000, supportsImages: true, efforts: ["low", "high"] },
    reasoningEffort: "high",
    warnings: [],
  });
  expect(compaction.tokenLimit).toBe(150_000);
  expect(modelInstructionsFile).toBe(join(home.path, ".codex/llama.md"));
  expect(findModelPrice(catalogue, "llama-9", "anybody")).toEqual({
    input: 1,
    cachedInput: 0.5,
    cacheWrite: 2,
    output: 2,
    long: { above: 100_000, input: 2, cachedInput: 1, output: 4 },
  });
  const overrides = [override("model_reasoning_effort", "xhigh")];
  const codex = await home.load({ flags: { model: "gpt-5-codex" }, overrides });
  expect(codex).toMatchObject({ reasoningEffort: "xhigh", modelFamily: { id: "gpt-5-codex" }, warnings: [] });
  const found = listModels(catalogue, null).find(({ name }) => name === "gpt-5-codex");
  expect(found).toMatchObject({ origins: ["built_in", "config"], price: { input: 1.25 } });
});

test("a dotted name needs no quotes on the command line", async () => {
  await using home = await createTempHome();
  const overrides = [override("models.gpt-5.1.context_window", "1000")];
  const { modelFamily, warnings } = await home.load({ flags: { model: "gpt-5.1" }, overrides });
  expect([modelFamily.contextWindow, warnings]).toEqual([1000, []]);
});

describe("a file of models", () => {
  const file = (models: readonly unknown[]): Record<string, string> => ({
    "config.toml": `model = "next"\nmodel_catalog_json = "models/list.json"\n`,
    ".codex/models/list.json": JSON.stringify({ models }),
  });

  test("is read in the format of the Codex CLI, with what is ours, and config wins over it", async () => {
    const entry = {
      slug: "next",
      display_name: "Next",
      base_instructions: "left aside",
      context_window: 300_000,
      default_reasoning_level: "low",
      supported_reasoning_levels: [{ effort: "low", description: "x" }, { effort: "max" }],
      support_verbosity: true,
      default_verbosity: "high",
      sent_reasoning_context: "all_turns",
      apply_patch_tool_type: "freeform",
      shell_type: "unified_exec",
      truncation_policy: { mode: "tokens", limit: 5000 },
      input_modalities: ["text"],
      visibility: "hide",
      auto_compact_token_limit: null,
      family: "gpt-5",
      instructions_file: "next.md",
      price: {
        input: 3,
        cached_input: 0.3,
        cache_write: 4,
        output: 9,
        long: { above: 9, input: 6, cached_input: 0.6, output: 12 },
      },
    };
    await using home = await createTempHome(file([entry]));
    const config = await home.load({ overrides: [override("models.next.context_window", "250000")] });
    expect(config.warnings).toEqual([]);
    expect(config.modelFamily).toEqual({
      id: "gpt-5",
      contextWindow: 250_000,
      windowOrigin: "config",
      supportsReasoning: true,
      efforts: ["low", "max"],
      supportsReasoningSummaries: true,
      supportsVerbosity: true,
      supportsImages: false,
      supportsParallelToolCalls: true,
      applyPatchTool: "custom",
      shellTool: "exec_command",
      toolOutputTokens: 5000,
    });
    expect(config).toMatchObject({
      reasoningEffort: "low",
      verbosity: "high",
      reasoningContext: "all_turns",
      modelInstructionsFile: join(home.path, ".codex/models/next.md"),
    });
    expect(listModels(config.catalogue, null)[0]).toMatchObject({
      name: "next",
      origins: ["file", "config"],
      isHidden: true,
      price: { cacheWrite: 4, output: 9, long: { above: 9, cachedInput: 0.6, output: 12 } },
    });
  });

  test.for([
    ["{", "is not JSON"],
    [`{"models": {}}`, "is wrong in models: it must be an array, but it is a table"],
    [
      `{"models": [{"slug": "a", "context_window": "x"}]}`,
      "is wrong in models[0].context_window: it must be a whole number",
    ],
    [`{"models": [{}]}`, "has no slug in models[0]"],
  ] as const)("that cannot be used gives an error with its place: %s", async ([text, fault]) => {
    await using home = await createTempHome({ "config.toml": `\nmodel_catalog_json = "list.json"` });
    expect(await home.loadError()).toMatchObject({
      code: "model_catalogue_invalid",
      message: expect.stringContaining(
        `config.toml:2:1: the file of models ${join(home.path, ".codex/list.json")} cannot be read`,
      ),
    });
    await writeFile(join(home.path, ".codex/list.json"), text);
    expect((await home.loadError()).message).toContain(`list.json ${fault}`);
  });
});

test("a list of a provider is kept without what a server has no say in, and counts for that provider alone", async () => {
  await using home = await createTempHome();
  const codexHome = join(home.path, ".codex");
  await mkdir(codexHome);
  const entries = [
    {
      id: "next",
      context_length: 64_000,
      instructions_file: "/etc/passwd",
      price: { input: 0, cached_input: 0, output: 0 },
    },
    { id: "" },
    "what is this",
    { id: "other", max_model_len: 8192 },
    { id: "odd", context_length: "8k" },
    { id: "old", shutdown_date: "2026-12-11" },
    { id: "kept", shutdown_date: null },
  ];
  const layer = await saveProviderList(codexHome, "openai", entries);
  expect(layer.tables).toEqual({
    next: { context_window: 64_000 },
    other: { context_window: 8192 },
    odd: {},
    old: { shutdown_date: "2026-12-11" },
    kept: {},
  });
  const config = await home.load({ flags: { model: "next" } });
  expect(config).toMatchObject({ modelFamily: { id: "default", contextWindow: 64_000 }, modelInstructionsFile: null });
  expect(config.warnings).toEqual([]);
  const elsewhere = await home.load({ flags: { model: "next" }, overrides: [override("model_provider", "ollama")] });
  expect(warningsOf(elsewhere)).toHaveLength(1);
});

test("a project cannot describe models: their prices and settings are the user's", async () => {
  await using home = await createTempHome({
    "project/.codex/config.toml": `models.gpt-5.price = { input = 0, cached_input = 0, output = 0 }\nmodel_catalog_json = "x"\n`,
  });
  const overrides = [override(`projects.${JSON.stringify(join(home.path, "project"))}.trust_level`, "trusted")];
  const { warnings, catalogue } = await home.load({ overrides });
  expect(warnings.map(({ code, key }) => [code, key])).toEqual([
    ["key_ignored_in_project", "models"],
    ["key_ignored_in_project", "model_catalog_json"],
  ]);
  expect(findModelPrice(catalogue, "gpt-5", "openai")).toMatchObject({ input: 1.25 });
});

describe("a model that its provider ends", () => {
  const day = (date: string): number => Date.parse(`${date}T12:00:00Z`);

  test.for([
    ["2026-10-11", null],
    ["2026-10-12", "OpenAI ends the model gpt-5 on 2026-12-11: requests to it will fail."],
    ["2026-12-11", "OpenAI ended the model gpt-5 on 2026-12-11: requests to it fail."],
  ] as const)("is announced from 60 days before: on %s", async ([date, told]) => {
    await using home = await createTempHome();
    const config = await home.load({ flags: { model: "gpt-5" } });
    const remedy =
      "Use another model (-m, or model in config.toml): `unroll models` lists them; gpt-6.1-sol is the default.";
    expect(describeShutdown(config, day(date))).toBe(told && `${told} ${remedy}`);
  });

  test("is announced for that provider only, or for any that a table names", async () => {
    await using home = await createTempHome();
    const overrides = [override("model_provider", "ollama"), override("models.mine.shutdown_date", `"2020-01-02"`)];
    const elsewhere = await home.load({ flags: { model: "gpt-5" }, overrides });
    expect(describeShutdown(elsewhere, day("2030-01-01"))).toBe(null);
    expect(describeShutdown({ ...elsewhere, model: "mine" }, day("2030-01-01"))).toMatch(
      /^Ollama ended the model mine /,
    );
    const wrong = [override("models.mine.shutdown_date", "soon")];
    expect((await home.loadError({ overrides: wrong })).message).toContain(
      "models.mine.shutdown_date must be a day as YYYY-MM-DD",
    );
  });

  test("is not the one that unroll begins with", async () => {
    await using home = await createTempHome();
    const { model, catalogue } = await home.load();
    expect(listModels(catalogue, "openai").find(({ name }) => name === model)).toMatchObject({
      shutdownDate: null,
      isHidden: false,
    });
  });
});

test("each model of model_fallbacks has the config that it would have by itself, and an unknown one is warned about there", async () => {
  await using home = await createTempHome({
    ".codex/config.toml":
      'model = "gpt-5"\nmodel_fallbacks = ["gpt-5", "gpt-5-mini", "gpt-5-mini", "nothing-like-it"]\n',
  });
  const config = await home.load();
  expect(config.modelFallbacks.map(({ model }) => model)).toEqual(["gpt-5-mini", "nothing-like-it"]);
  expect(config.modelFallbacks[1]).toMatchObject({ modelFallbacks: [], modelFamily: { contextWindow: 128_000 } });
  expect(warningsOf(config).join("\n")).toContain('config.toml:2:1: the model "nothing-like-it" is unknown');
});

test("a table in model_fallbacks names a model of another provider, which is resolved with that provider's settings", async () => {
  await using home = await createTempHome({
    ".codex/config.toml": [
      'model = "gpt-5"',
      'model_fallbacks = ["gpt-5-mini", { model_provider = "spare", model = "gpt-5" }]',
      '[model_providers.spare]\nbase_url = "https://spare.example/v1"\nenv_key = "SPARE_KEY"\n',
    ].join("\n"),
  });
  const { modelFallbacks } = await home.load();
  expect(modelFallbacks.map(({ model, provider }) => [provider.id, model])).toEqual([
    ["openai", "gpt-5-mini"],
    ["spare", "gpt-5"],
  ]);
  expect(modelFallbacks[1]?.provider).toMatchObject({ baseUrl: "https://spare.example/v1", envKeys: ["SPARE_KEY"] });
});

test("a provider in model_fallbacks that does not exist is an error with the nearest name", async () => {
  await using home = await createTempHome({
    ".codex/config.toml": 'model_fallbacks = [{ model_provider = "olama", model = "qwen3" }]\n',
  });
  await expect(home.load()).rejects.toThrow(
    'config.toml:1:1: model_fallbacks names the provider "olama", but there is no table [model_providers.olama] with its base_url. Did you mean "ollama"?',
  );
});

test("an entry of model_fallbacks without a provider is an error", async () => {
  await using home = await createTempHome({ ".codex/config.toml": 'model_fallbacks = ["a", { model = "b" }]\n' });
  await expect(home.load()).rejects.toThrow(
    "model_fallbacks (entry 2, model_provider) must be a string in quotes, but it is missing.",
  );
});
