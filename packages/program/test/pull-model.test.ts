import { loadConfig } from "@unroll/config";
import { createOllamaGuise, startScriptedModel } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { type PrepareOptions, prepareProvider } from "../src/config/prepare-provider.ts";

interface World extends AsyncDisposable {
  /** Gets a model ready where the person says yes; returns what they were asked and told. */
  prepare(model: string): Promise<readonly string[]>;
}

async function openWorld(): Promise<World> {
  const guise = createOllamaGuise({ version: "0.13.4", models: ["a:1b"], library: ["c"] });
  const server = await startScriptedModel({ script: { turns: [] }, guise });
  const env = { CODEX_OSS_BASE_URL: server.url };
  const { signal } = new AbortController();
  return {
    async prepare(model) {
      const keys = [{ key: "model", value: model, origin: "--model" }];
      const flags = { localProvider: "ollama", keys } as const;
      const config = await loadConfig({ codexHome: "/sys/nonexistent", cwd: "/", overrides: [], flags, env });
      const told: string[] = [];
      const dialog = {
        confirm: async (question: string) => told.push(question) > 0,
        tell: (line: string) => void told.push(line),
      };
      await prepareProvider(config, { env, signal, dialog: dialog as unknown as PrepareOptions["dialog"] });
      return told;
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

test("a model that Ollama lacks is pulled after an approval, and nothing is asked the next time", async () => {
  await using world = await openWorld();
  expect(await world.prepare("c")).toEqual([
    "Ollama does not have the model c. Pull it now?",
    "pulling manifest",
    "pulling 4f3a: 0 % of 1.0 GB",
    "pulling 4f3a: 50 % of 1.0 GB",
    "pulling 4f3a: 100 % of 1.0 GB",
    "success",
  ]);
  expect(await world.prepare("c")).toEqual([]);
});

test("a model that Ollama cannot pull ends with its reason", async () => {
  await using world = await openWorld();
  await expect(world.prepare("d")).rejects.toMatchObject({
    name: "ProgramError",
    code: "pull_failed",
    message: "Could not pull the model d: file does not exist. Try `ollama pull d`, or another name with -m.",
  });
});
