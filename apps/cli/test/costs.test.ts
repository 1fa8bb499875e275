import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ScriptedModel, startScriptedModel, type Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { type InProcessWorld, openInProcessWorld } from "./run-in-process.ts";

type Counts = readonly [input: number, cached: number, written: number];

function answer([input, cached, written]: Counts): Turn {
  const input_tokens_details = { cached_tokens: cached, cache_write_tokens: written };
  return {
    items: [{ text: "Done." }],
    usage: { input_tokens: input, input_tokens_details, output_tokens: 1000, total_tokens: input + 1000 },
  };
}

interface RanWorld extends InProcessWorld {
  readonly model: ScriptedModel;
  /** The objects that a listing prints as JSON, one per line. */
  list(...args: readonly string[]): Promise<readonly unknown[]>;
}

/** A thread of a run for each answer, all with the model of today at the price of the catalogue. */
async function openRanWorld(answers: readonly Counts[]): Promise<RanWorld> {
  const world = await openInProcessWorld();
  const model = await startScriptedModel({ script: { turns: answers.map(answer) } });
  const lines = [
    `model = "gpt-6.1-sol"`,
    `model_provider = "test"`,
    `[model_providers.test]`,
    `preset = "openai"`,
    `base_url = "${model.url}"`,
    `[models."gpt-6.1-sol"]`,
    `provider = "test"`,
  ];
  await world.write("home/.codex/config.toml", lines.join("\n"));
  for (const [n] of answers.entries()) {
    const args =
      n === 0 ? ["exec", "--skip-git-repo-check", "Go"] : ["exec", "--skip-git-repo-check", "resume", "--last", "On"];
    const { exitCode, stderr } = await world.run(args);
    if (exitCode !== 0) throw new Error(stderr);
  }
  return {
    ...world,
    model,
    async list(...args) {
      const { stdout } = await world.run([...args, "--json"]);
      return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as unknown]));
    },
    async [Symbol.asyncDispose]() {
      await model.close();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** Makes of the one thread what an older version would have written. */
function makeOlder(world: InProcessWorld): Promise<void> {
  return rewrite(world, (text) => text.replaceAll(/"cache_write_tokens":\d+,/g, ""));
}

async function rewrite({ codexHome }: InProcessWorld, change: (text: string) => string): Promise<void> {
  const folder = join(codexHome, "sessions");
  const names = await readdir(folder, { recursive: true });
  const file = join(folder, names.find((name) => name.endsWith(".jsonl")) ?? "");
  const text = await readFile(file, "utf8");
  expect(change(text)).not.toBe(text);
  await writeFile(file, change(text));
}

test("tokens written to the cache are shown and priced, in the report and in the list", async () => {
  await using world = await openRanWorld([
    [10_000, 2000, 7000],
    [12_000, 9000, 3000],
  ]);
  const first = { type: "request", uncached_tokens: 8000, cache_write_tokens: 7000, cost_usd: 0.0297 };
  const second = { type: "request", uncached_tokens: 3000, cache_write_tokens: 3000, cost_usd: 0.0184 };
  const thread = { type: "thread", cost_usd: 0.0481, cost_without_cache_usd: 0.064, unpriced_requests: 0 };
  expect(await world.list("cache", "report")).toMatchObject([first, second, thread]);
  expect(await world.list("threads", "list")).toMatchObject([{ cost_usd: 0.0481 }]);
});

test("short requests stay short ones in a long thread, and a long one is paid as one", async () => {
  await using short = await openRanWorld([
    [200_000, 0, 200_000],
    [210_000, 200_000, 10_000],
  ]);
  expect(await short.list("threads", "list")).toMatchObject([{ cost_usd: expect.closeTo(0.565) }]);
  await using long = await openRanWorld([
    [200_000, 0, 200_000],
    [300_000, 200_000, 100_000],
  ]);
  const thread = { type: "thread", cost_usd: 1.065, unpriced_requests: 0 };
  expect(await long.list("cache", "report")).toMatchObject([{ cost_usd: 0.51 }, { cost_usd: 0.555 }, thread]);
  expect(await long.list("threads", "list")).toMatchObject([{ cost_usd: expect.closeTo(1.065) }]);
});

test("a thread of an older version is read: what it does not say was put into the cache is unknown, where it costs more", async () => {
  await using world = await openRanWorld([
    [10_000, 2000, 7000],
    [10_000, 10_000, 0],
  ]);
  await makeOlder(world);
  expect(await world.list("cache", "report")).toMatchObject([
    { type: "request", cache_write_tokens: 7000, cost_usd: 0.0297 },
    { type: "request", cache_write_tokens: null, cost_usd: null },
    { type: "thread", cost_usd: 0.0297, unpriced_requests: 1 },
  ]);
});

test("the list of threads says that the cost of a model without a price is unknown", async () => {
  await using world = await openRanWorld([[10_000, 2000, 7000]]);
  await rewrite(world, (text) => text.replaceAll("gpt-6.1-sol", "my-own-model"));
  const { stdout } = await world.run(["threads", "list"]);
  expect(stdout).toContain("cost unknown  Go");
});
