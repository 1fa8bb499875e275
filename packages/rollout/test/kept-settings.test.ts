import { readFileSync, writeFileSync } from "node:fs";
import { noTokenUsage, toRequestHead } from "@unroll/protocol";
import { expect, test } from "vitest";
import { openStoreWorld, writeThread } from "./store-world.ts";

test("settings come back as they were recorded, also those that changed in a turn or between turns", async () => {
  await using world = await openStoreWorld();
  const settings = {
    cwd: "/work",
    model: "gpt-5.6",
    approvalPolicy: "never",
    sandboxMode: "read-only",
    reasoningEffort: "low",
    reasoningSummary: "auto",
    verbosity: "low",
    reasoningContext: "all_turns",
  } as const;
  const changed = { ...settings, reasoningEffort: "high", verbosity: null } as const;
  const workspace = { writableRoots: ["/data"], networkAccess: true };
  const between = { ...changed, approvalPolicy: "untrusted", sandboxMode: "workspace-write", workspace } as const;
  const { id, path } = await writeThread(world, (threadId) => [
    { type: "thread.opened", threadId, model: "gpt-5.6", provider: "test", head: toRequestHead({}) },
    { type: "settings", settings },
    { type: "turn.started", turnId: "one" },
    { type: "settings", settings: changed },
    { type: "turn.ended", turnId: "one", outcome: { type: "interrupted", usage: noTokenUsage }, nextItem: 0 },
    { type: "settings", settings: between },
    { type: "settings", settings: between },
  ]);
  const read = (await world.store.load(id)).entries.filter(({ type }) => type === "settings");
  expect(read).toEqual([
    { type: "settings", settings },
    { type: "settings", settings: changed },
    { type: "settings", settings: between },
  ]);
  const wrong = readFileSync(path, "utf8").replaceAll('"verbosity":"low"', '"verbosity":"loud"');
  writeFileSync(path, wrong.replaceAll('"effort":"low"', '"effort":7'));
  const { verbosity: _verbosity, ...rest } = settings;
  const [first] = (await world.store.load(id)).entries.filter(({ type }) => type === "settings");
  expect(first).toEqual({ type: "settings", settings: { ...rest, reasoningEffort: null } });
});
