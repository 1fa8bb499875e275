// Many tasks under one budget, with a journal: start it again, and it runs only what is left.
import { createThreadRunner, openBatchJournal, parseTasks, runBatch } from "@unroll/batch";
import { createClock, openHarness } from "@unroll/harness";
import { nodeHost } from "@unroll/harness/node";
import { openThreadStore } from "@unroll/rollout";
import { startScriptedModel } from "@unroll/scripted-model";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const count = Number(process.env["TASKS"] ?? 20);
const concurrency = Number(process.env["JOBS"] ?? 8);
const respond = (): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text: "Done." }] });
await using server = await startScriptedModel({ respond }); // leave it out, and env: your key holds
await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-batch-"));
const env = {
  PATH: process.env["PATH"],
  CODEX_HOME: folder.path,
  OPENAI_API_KEY: "any",
  OPENAI_BASE_URL: server.url,
};
const host = nodeHost({ env });
const clock = createClock(host);
const store = openThreadStore({ codexHome: folder.path, clock, pid: process.pid });
await using harness = await openHarness({ host, store, config: { sandboxMode: "read-only" } });

const lines = Array.from({ length: count }, (_, index) =>
  JSON.stringify({ id: `job-${index}`, prompt: `Job ${index}` }),
);
const tasks = parseTasks(lines.join("\n"), "tasks.jsonl");
const runner = createThreadRunner({
  harness,
  store,
  priceOf: () => null, // the catalogue's, if results should have a cost
  newId: () => host.newId(),
  openPlace: async () => ({ options: { instructions: "You do one job.", builtins: ["shell_command"] } }),
});

async function runAll(): Promise<void> {
  await using journal = await openBatchJournal(join(folder.path, "journal"));
  let ran = 0;
  const batch = runBatch({ tasks, runner, clock, journal, concurrency, budget: { maxTurns: count } });
  for await (const event of batch) if (event.type === "task.ended") ran += 1;
  console.log(`${ran} of ${count} tasks ran`);
}

await runAll();
await runAll(); // nothing is left
