import { forEach } from "@unroll/flow";
import { openThread } from "@unroll/harness";
import { createHost, loadProgramConfig, openProgramStore } from "@unroll/program";
import { openModelHome } from "@unroll/program/fixture/model-home";
import { createTestIo } from "@unroll/program/fixture/test-io";
import { readPrices, reportCache, reportSavedTree } from "@unroll/use-cases/cache";
import { expect, test } from "vitest";

test("an open thread and the same one saved have one cache report", async () => {
  const turns = [{ items: [{ text: "One." }] }, { items: [{ text: "Two." }] }];
  await using home = await openModelHome({ script: { turns } });
  const env = { PATH: process.env["PATH"], HOME: home.home };
  const io = createTestIo({ env, cwd: home.work, homeDirectory: home.home });
  const host = createHost(io);
  const config = await loadProgramConfig({}, host);
  const store = await openProgramStore(config, io);
  await using thread = await openThread({ host, config, store });
  for (const input of ["First", "Second"]) await forEach(thread.run(input), () => {});
  const { entries } = await store.load(thread.id);
  const report = reportCache(entries, config);
  expect(report.rows).toHaveLength(2);
  expect(report.rows[1]?.sharedTokens).toBeGreaterThan(0);
  expect(await reportSavedTree(entries, host, store)).toMatchObject({ account: report, tree: { agents: [] } });
});

test("prices are the user's; a config that cannot be used leaves the built-in ones", async () => {
  await using home = await openModelHome({ script: { turns: [] } }, "model_reasoning_effort = 7");
  const env = { PATH: process.env["PATH"], HOME: home.home };
  const priceOf = await readPrices(createHost(createTestIo({ env, homeDirectory: home.home })));
  expect(priceOf({ model: "gpt-5", provider: "openai", serviceTier: null })).toMatchObject({ input: 1.25 });
  expect(priceOf({ model: "gpt-5", provider: "openai", serviceTier: "flex" })).toBeNull();
});
