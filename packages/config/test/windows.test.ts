import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type ConfigOverride, saveProviderList, withServedWindow } from "@unroll/config";
import { expect, test } from "vitest";
import { createTempHome, override } from "./temp-home.ts";

test("a listed model whose window nobody tells is marked as a guess; a list that tells it, of whatever server, is gone by", async () => {
  await using home = await createTempHome();
  const codexHome = join(home.path, ".codex");
  await mkdir(codexHome);
  const entries = [
    { id: "plain", object: "model", owned_by: "library" },
    { id: "llama", meta: { n_ctx: 4096, n_ctx_train: 131_072 } },
    { id: "vllm", max_model_len: 8192 },
    {
      key: "qwen/studio",
      max_context_length: 131_072,
      loaded_instances: [{ id: "a", config: { context_length: 6000 } }],
    },
    { id: "routed", context_length: 200_000, top_provider: { context_length: 64_000 } },
    { id: "copilot", capabilities: { limits: { max_context_window_tokens: 128_000, max_prompt_tokens: 90_000 } } },
  ];
  await saveProviderList(codexHome, "openai", entries);
  const load = async (model: string): Promise<readonly unknown[]> => {
    const { modelFamily, warnings } = await home.load({ flags: { model } });
    return [modelFamily.contextWindow, modelFamily.windowOrigin, warnings.map(({ code }) => code)];
  };
  expect(await load("plain")).toEqual([128_000, "guess", ["model_window_unknown"]]);
  expect(await load("llama")).toEqual([4096, "list", []]);
  expect(await load("vllm")).toEqual([8192, "list", []]);
  expect(await load("qwen/studio")).toEqual([6000, "list", []]);
  expect(await load("routed")).toEqual([64_000, "list", []]);
  expect(await load("copilot")).toEqual([90_000, "list", []]);
});

test("a served window takes the place of a guess, and is never larger than one that you set or the catalogue knows", async () => {
  await using home = await createTempHome();
  const served = async (model: string, window: number, overrides: readonly ConfigOverride[] = []) => {
    const { modelFamily, compaction } = withServedWindow(await home.load({ flags: { model }, overrides }), window);
    const { contextWindow, windowOrigin, toolOutputTokens } = modelFamily;
    return [contextWindow, windowOrigin, compaction.tokenLimit, toolOutputTokens];
  };
  expect(await served("llama-4", 4096)).toEqual([4096, "server", 2796, 1024]);
  expect(await served("llama-4", 200_000)).toEqual([200_000, "server", 180_000, 10_000]);
  expect(await served("gpt-5.2", 400_000)).toEqual([272_000, "catalogue", 244_800, 10_000]);
  expect(await served("gpt-5.2", 20_000)).toEqual([20_000, "server", 18_000, 5000]);
  const set = (value: string): ConfigOverride => override("model_context_window", value);
  expect(await served("llama-4", 8192, [set("6000")])).toEqual([6000, "config", 4700, 1500]);
  const limit = override("model_auto_compact_token_limit", "3000");
  expect(await served("llama-4", 8192, [limit])).toEqual([8192, "server", 3000, 2048]);
});
