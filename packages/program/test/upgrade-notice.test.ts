import { mkdtempDisposable, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost, openProgramModel } from "@unroll/program";
import { noTokenUsage, type RecordedSettings, type RequestHead, toRequestHead } from "@unroll/protocol";
import { openThreadStore } from "@unroll/rollout";
import { expect, test } from "vitest";
import { createFakeIo } from "./fixture/fake-io.ts";

const settings: RecordedSettings = {
  cwd: "/work",
  model: "gpt-5.2",
  approvalPolicy: "never",
  sandboxMode: "read-only",
  reasoningEffort: null,
  reasoningSummary: "auto",
};

interface Home extends AsyncDisposable {
  readonly path: string;
  /** Starts a program, and returns what it has to tell. */
  start(model: string, config?: readonly string[]): Promise<readonly string[]>;
  /** Keeps a thread of one turn with these settings. */
  keepThread(kept: RecordedSettings, head: RequestHead | null): Promise<void>;
}

async function openHome(): Promise<Home> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-upgrade-test-"));
  const io = createFakeIo({ env: { CODEX_HOME: folder.path, OPENAI_API_KEY: "sk" } });
  return {
    path: folder.path,
    async start(model, config = []) {
      const signal = new AbortController().signal;
      await using opened = await openProgramModel({ model, config }, createHost(io), { signal, io });
      return opened.notices;
    },
    async keepThread(kept, head) {
      const store = openThreadStore({ codexHome: folder.path, clock: io, pid: process.pid });
      const threadId = "019e0000-0000-7000-8000-000000000001";
      const meta = { threadId, cwd: "/work", userAgent: "unroll", modelProvider: "openai", forkedFrom: null };
      await using journal = await store.create(meta);
      journal.record({ type: "thread.opened", threadId, model: kept.model, provider: "openai", head });
      journal.record({ type: "settings", settings: kept });
      journal.record({ type: "turn.started", turnId: "one" });
      const outcome = { type: "interrupted", usage: noTokenUsage } as const;
      journal.record({ type: "turn.ended", turnId: "one", outcome, nextItem: 0 });
      await journal.settled();
    },
    [Symbol.asyncDispose]: () => folder.remove(),
  };
}

const head = toRequestHead({});

test("the first start after the upgrade says once what is sent now and what it costs", async () => {
  await using home = await openHome();
  await home.keepThread(settings, head);
  expect(await home.start("gpt-5.2", ["model_reasoning_effort=none"])).toEqual([]); // the user says so, as before
  expect(await home.start("gpt-5.4-mini")).toEqual([]); // nothing is sent
  expect(await home.start("gpt-5")).toEqual([]); // its server's own
  expect(await home.start("gpt-5.2")).toEqual([
    'New: unroll now sends gpt-5.2 the effort medium and the verbosity low; before, its server used none. It reasons more, which takes longer and costs more. Reasoning is billed as output, $14 per million tokens. For the old effort, set model_reasoning_effort = "none" in config.toml. Existing threads keep their settings.',
  ]);
  expect(await home.start("gpt-5.2")).toEqual([]);
  expect(await home.start("gpt-5.1")).toEqual([]);
});

test.for([
  [
    "gpt-6.1-sol",
    "its server used medium. It reasons less, which is faster and cheaper. Reasoning is billed as output, $10",
  ],
  ["gpt-5.5", "its server decided. It may reason more or less than before. Reasoning is billed as output, $30"],
] as const)("what changes depends on the model: %s", async ([model, told]) => {
  await using home = await openHome();
  await home.keepThread(settings, head);
  expect(await home.start(model)).toEqual([expect.stringContaining(told)]);
});

test("new users, and those who come from another program, see no notice", async () => {
  await using home = await openHome();
  expect(await home.start("gpt-5.2")).toEqual([]);
  expect(await readdir(home.path)).toEqual([]);
  await home.keepThread(settings, null);
  expect(await home.start("gpt-5.2")).toEqual([]);
  await using current = await openHome();
  await current.keepThread({ ...settings, verbosity: "low" }, head);
  expect(await current.start("gpt-5.2")).toEqual([]);
});
