import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { StoredJournal, ThreadStore } from "@unroll/protocol";
import { openThreadStore } from "@unroll/rollout";
import { expect, test } from "vitest";
import { openThreadWorld } from "./thread-world.ts";

/** Files whose threads another process can take over. */
function toLosable(store: ThreadStore, lost: AbortSignal): ThreadStore {
  const withLost = (journal: StoredJournal): StoredJournal => ({
    lost,
    get isKept() {
      return journal.isKept;
    },
    record: (entry) => journal.record(entry),
    async settled() {
      lost.throwIfAborted();
      await journal.settled();
    },
    [Symbol.asyncDispose]: () => journal[Symbol.asyncDispose](),
  });
  return { ...store, create: async (meta, entries) => withLost(await store.create(meta, entries)) };
}

test("a thread that another process has taken over ends its turn and its commands", async () => {
  const run = { call: "exec_command", arguments: { cmd: "echo $$ >up; exec sleep 1000", login: false } };
  await using world = await openThreadWorld({ script: { turns: [{ items: [run] }] } });
  const lost = new AbortController();
  const files = openThreadStore({ codexHome: join(world.home, ".codex"), clock: { now: Date.now }, pid: process.pid });
  const thread = await world.openThread({ store: toLosable(files, lost.signal) });
  const reason = Object.assign(new Error("Another process has it."), { code: "thread_lost" });
  const readPid = (): string => {
    const file = join(world.work, "up");
    return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  };
  const events = collect(thread.run("Go"));
  await expect.poll(readPid).not.toBe("");
  lost.abort(reason);
  expect((await events).at(-1)).toMatchObject({ type: "turn.failed", error: { code: "thread_lost" } });
  await expect(thread[Symbol.asyncDispose]()).rejects.toBe(reason);
  expect(existsSync(`/proc/${readPid()}`)).toBe(false);
  expect(world.model.requests).toHaveLength(1);
});

async function collect<Value>(values: AsyncIterable<Value>): Promise<readonly Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}
