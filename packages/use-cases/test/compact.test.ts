import { forEach } from "@unroll/flow";
import { openThread } from "@unroll/harness";
import { createHost, loadProgramConfig, openProgramStore } from "@unroll/program";
import { openModelHome } from "@unroll/program/fixture/model-home";
import { createTestIo } from "@unroll/program/fixture/test-io";
import { compactThread, previewCompaction, undoCompaction } from "@unroll/use-cases/compact";
import { expect, test } from "vitest";

const long = { items: [{ text: "A long answer. ".repeat(4000) }] };

test("a saved thread is previewed without being changed, compacted, and restored as it was", async () => {
  const summary = { items: [{ text: "They said hello." }], newEpoch: true };
  await using home = await openModelHome({ script: { turns: [long, summary] } });
  const env = { PATH: process.env["PATH"], HOME: home.home };
  const io = createTestIo({ env, cwd: home.work, homeDirectory: home.home });
  const host = createHost(io);
  const config = await loadProgramConfig({}, host);
  const store = await openProgramStore(config, io);
  const id = await (async () => {
    await using thread = await openThread({ host, config, store });
    await forEach(thread.run("Hello"), () => {});
    return thread.id;
  })();
  const { entries } = await store.load(id);
  expect(await previewCompaction(entries, config)).toMatchObject({
    type: "shorter",
    kept: { userMessages: { all: 1 } },
  });
  expect((await store.load(id)).entries).toEqual(entries);
  const { signal } = new AbortController();
  const kept = { id, store, config, host, userAgent: "test", signal };
  const types: string[] = [];
  const outcome = await forEach(compactThread(kept, "the greeting"), (event) => void types.push(event.type));
  expect(outcome).toMatchObject({ type: "completed" });
  expect(types).toEqual(expect.arrayContaining(["compaction.started", "compaction.completed", "epoch.opened"]));
  expect(JSON.stringify(home.model.requests[1]?.body)).toContain("the greeting");
  expect(await undoCompaction(kept)).toMatchObject({ type: "epoch.opened" });
  await expect(undoCompaction(kept)).rejects.toMatchObject({ name: "HarnessError" });
});
