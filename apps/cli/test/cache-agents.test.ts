import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startScriptedModel, type Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openInProcessWorld } from "./run-in-process.ts";

type Used = Required<Pick<Extract<Turn, { readonly items: unknown }>, "usage">>;

const key = "canary-4711-of-the-test";

function toUsage(input: number, cached: number): Used {
  const input_tokens_details = { cached_tokens: cached, cache_write_tokens: 0 };
  return { usage: { input_tokens: input, input_tokens_details, output_tokens: 100, total_tokens: input + 100 } };
}

function start(message: string, task_name: string, usage: Used): Turn {
  return { items: [{ call: "spawn_agent", arguments: { task_name, message } }], ...usage };
}

/** Counts the requests of each thread, from 0. */
function countSteps(): (threadId: unknown) => number {
  const steps = new Map<unknown, number>();
  return (threadId) => {
    const step = steps.get(threadId) ?? 0;
    steps.set(threadId, step + 1);
    return step;
  };
}

test("cache report has a row for each sub-agent, with what its first request shares with its siblings, and the sum of the tree", async () => {
  await using world = await openInProcessWorld();
  const count = countSteps();
  await using model = await startScriptedModel({
    respond({ headers, raw }) {
      const step = count(headers["thread-id"]);
      if (raw.toString().includes('"text":"Go"')) {
        if (step === 0) return start("One", "one", toUsage(4000, 0));
        if (step === 1) return start("Two", `two ${key}`, toUsage(4200, 4000));
        return { items: [{ text: "Done." }], ...toUsage(4400, 4200) };
      }
      return { items: [{ text: "Did." }], ...toUsage(2000, raw.toString().includes('"text":"One"') ? 0 : 1500) };
    },
  });
  const provider = `[model_providers.test]\npreset = "openai"\nbase_url = "${model.url}"\n`;
  const price = `[models.gpt-5]\nprovider = "test"\nprice = { input = 1, cached_input = 0.1, output = 10 }\n`;
  const keys = `model = "gpt-5"\nmodel_provider = "test"\nagents.enabled = true\n`;
  await world.write("home/.codex/config.toml", `${keys}${provider}${price}`);
  const env = { OPENAI_API_KEY: key };
  const ran = await world.run(["exec", "--skip-git-repo-check", "Go"], { env });
  expect(ran).toMatchObject({ exitCode: 0 });
  const { stdout } = await world.run(["cache", "report", "--json", "--html", join(world.work, "r.html")], { env });
  const facts = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const usage = { input_tokens: 2000, output_tokens: 100 };
  const agent = { type: "agent", thread_id: expect.any(String), requests: 1, first_input_tokens: 2000 };
  const shared = facts.filter(({ type }) => type === "agent").map(({ first_shared_tokens: tokens }) => Number(tokens));
  expect(facts).toMatchObject([
    { type: "request" },
    { type: "request" },
    { type: "request" },
    { ...agent, name: "one", usage: { ...usage, cached_input_tokens: 0 }, first_cached_tokens: 0, cost_usd: 0.003 },
    {
      ...agent,
      name: expect.not.stringContaining(key),
      usage: { ...usage, cached_input_tokens: 1500 },
      first_cached_tokens: 1500,
      cost_usd: 0.00165,
      cost_without_cache_usd: 0.003,
    },
    {
      type: "thread",
      requests: 3,
      with_agents: { agents: 2, requests: 5, usage: { input_tokens: 16_600, cached_input_tokens: 9700 } },
    },
  ]);
  expect(shared[0]).toBeLessThan(1900); // its parent has other tools, and they come before the messages
  expect(shared[1]).toBeGreaterThan(1900); // its sibling has another task, which comes last
  const report = (await world.run(["cache", "report"], { env })).stdout;
  expect(report).toMatch(
    /\nsub-agent +thread +state +requests +input +cached +output +first input +its shared +its cached +cost/,
  );
  expect(report).toMatch(/\none +[0-9a-f-]{36} +completed +1 +2,000 +0 +100 +2,000 +[\d,]+ +0 +\$0\.0030 +\$0\.0030\n/);
  expect(report).toContain(
    "\nwith sub-agents (2 completed): 5 requests, 16,600 tokens in, 9,700 of them cached (58 %), 500 out\ncost: $",
  );
  expect(report).not.toContain(key);
  const page = await readFile(join(world.work, "r.html"), "utf8");
  expect(page).toContain("<h2>Sub-agents</h2>");
  expect(page).not.toContain(key);
});

test("threads show has the tree of sub-agents with their states, tokens and prices, and the sums; one that was cut off is stopped", async () => {
  await using world = await openInProcessWorld();
  const count = countSteps();
  await using model = await startScriptedModel({
    respond({ headers, raw }) {
      const step = count(headers["thread-id"]);
      const task = /"text":"(Go|One)"/.exec(raw.toString())?.[1];
      if (task === "Go" && step === 0) return start("One", "one", toUsage(4000, 0));
      if (task === "One" && step === 0) return start("Two", "two", toUsage(3000, 0));
      return { items: [{ text: "Done." }], ...toUsage(2000, 1000) };
    },
  });
  const provider = `[model_providers.test]\npreset = "openai"\nbase_url = "${model.url}"\n`;
  const price = `[models.gpt-5]\nprovider = "test"\nprice = { input = 1, cached_input = 0.1, output = 10 }\n`;
  const keys = `model = "gpt-5"\nmodel_provider = "test"\nagents.enabled = true\nagents.max_depth = 2\n`;
  await world.write("home/.codex/config.toml", `${keys}${provider}${price}`);
  const env = { OPENAI_API_KEY: key };
  expect(await world.run(["exec", "--skip-git-repo-check", "Go"], { env })).toMatchObject({ exitCode: 0 });
  const show = async (): Promise<string> => (await world.run(["threads", "show"], { env })).stdout;
  const id = "[0-9a-f-]{36}";
  const row = (name: string, state: string, used: string): RegExp =>
    new RegExp(`\n${name} +(${id}) +${state} +${used}\n`);
  const shown = await show();
  expect(shown).toMatch(row("one", "completed", "2 +5,000 +1,000 +200 +\\$0\\.0061"));
  const [, deep = ""] = row("one / two", "completed", "1 +2,000 +1,000 +100 +\\$0\\.0021").exec(shown) ?? [];
  expect(shown).toContain("\n2 requests in 1 turn: 6,000 tokens in");
  expect(shown).toContain("\nwith sub-agents (2 completed): 5 requests, 13,000 tokens in, 3,000 of them cached (23 %)");
  const sessions = join(world.home, ".codex/sessions");
  const names = await readdir(sessions, { recursive: true });
  const file = join(sessions, names.find((name) => name.includes(deep) && name.endsWith(".jsonl")) ?? "");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.slice(0, text.slice(0, text.indexOf('"turn.ended"')).lastIndexOf("\n") + 1)); // as a kill leaves it
  const cut = await show();
  expect(cut).toMatch(row("one / two", "stopped", "1 +2,000 +1,000 +100 +\\$0\\.0021"));
  expect(cut).toContain("\nwith sub-agents (1 completed, 1 stopped): 5 requests, 13,000 tokens in");
});
