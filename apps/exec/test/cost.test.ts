import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openExecWorld } from "./exec-world.ts";

interface Counts {
  readonly input: number;
  readonly cached: number;
  /** Absent: the server does not say. */
  readonly written?: number;
}

/** A step, or the last answer, with what the server counted. */
function answer(item: "step" | "end", { input, cached, written }: Counts): Turn {
  const call = { call: "update_plan", arguments: { plan: [{ step: "Go", status: "pending" }] } };
  const details = { cached_tokens: cached, ...(written === undefined ? {} : { cache_write_tokens: written }) };
  return {
    items: [item === "step" ? call : { text: "Done." }],
    usage: {
      input_tokens: input,
      input_tokens_details: details,
      output_tokens: 1000,
      total_tokens: input + 1000,
    },
  };
}

/** The price of the catalogue, also of the provider of these tests. */
const sol = { model: "gpt-6.1-sol", config: ['models.gpt-6.1-sol.provider="test"'] };
const run = { sandbox: "danger-full-access", json: true, prompt: "Go", ...sol } as const;

test.each([
  ["what is put into the cache at its own", { input: 10_000, cached: 2000, written: 7000 }, 0.0297],
  ["an input of 272,000 as a short one", { input: 272_000, cached: 272_000, written: 0 }, 0.0372],
  ["a longer one at the price of long ones, as a whole", { input: 272_001, cached: 272_000, written: 1 }, 0.069405],
  ["as written what nobody says is not", { input: 10_000, cached: 2000 }, 0.0302],
] as const)("a run counts %s", async (_what, counts: Counts, spent) => {
  await using world = await openExecWorld({ script: { turns: [answer("end", counts)] } });
  const { events, exitCode } = await world.run({ ...run, maxCost: "1" });
  expect(exitCode).toBe(0);
  expect(events.find(({ type }) => type === "request.completed")).toMatchObject({
    usage: {
      input_tokens: counts.input,
      cached_input_tokens: counts.cached,
      cache_write_input_tokens: counts.written ?? 0,
      output_tokens: 1000,
    },
    cache: { cached_tokens: counts.cached, cache_write_tokens: counts.written ?? null },
  });
  expect(events.findLast(({ type }) => type === "budget.updated")).toEqual({
    type: "budget.updated",
    limits: [{ limit: "max_cost", of: "run", max: 1, spent }],
  });
});

test("--max-cost stops where what was put into the cache has used it up, which other input would not have", async () => {
  const counts = { input: 10_000, cached: 2000, written: 7000 };
  const turns = [answer("step", counts), answer("end", counts)];
  const stop = async (script: readonly Turn[], maxCost: string): Promise<unknown> => {
    await using world = await openExecWorld({ script: { turns: script } });
    const { events, exitCode } = await world.run({ ...run, maxCost });
    return { exitCode, requests: world.model.requests.length, last: events.at(-1) };
  };
  expect(await stop(turns, "0.0297")).toMatchObject({
    exitCode: 3,
    requests: 1,
    last: { error: { code: "budget_exhausted", budget: { limit: "max_cost", max: 0.0297, spent: 0.0297 } } },
  });
  const plain = turns.map((turn) => ({ ...turn, ...answer("step", { ...counts, written: 0 }) }));
  expect(await stop([...plain.slice(0, 1), answer("end", counts)], "0.0297")).toMatchObject({
    exitCode: 0,
    requests: 2,
  });
});

test("an answer that its server ended too early is counted, too", async () => {
  const cut: Turn = {
    ...answer("end", { input: 10_000, cached: 2000, written: 6000 }),
    end: { incomplete: "max_output_tokens" },
  };
  await using world = await openExecWorld({ script: { turns: [cut] } });
  const { events, exitCode } = await world.run({ ...run, maxCost: "2" });
  expect(exitCode).toBe(1);
  expect(events.at(-1)).toMatchObject({
    type: "turn.failed",
    error: { code: "incomplete" },
    usage: { input_tokens: 10_000, cache_write_input_tokens: 6000, output_tokens: 1000 },
    thread_usage: { input_tokens: 10_000 },
  });
  expect(events.filter(({ type }) => type === "request.completed")).toHaveLength(1);
  expect(events.findLast(({ type }) => type === "budget.updated")).toEqual({
    type: "budget.updated",
    limits: [{ limit: "max_cost", of: "run", max: 2, spent: 0.0292 }],
  });
});
