import { readFile } from "node:fs/promises";
import { globSync } from "node:fs";
import { join } from "node:path";
import type { RequestCompletedEvent, ThreadEvent } from "@unroll/protocol";
import { openThreadStore } from "@unroll/rollout";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd } from "./thread-world.ts";

const said = (text: string): { readonly items: readonly [{ readonly text: string }] } => ({ items: [{ text }] });
const run = { call: "exec_command", arguments: { cmd: "echo é", login: false } };

test("what a thread says of its cache is what the server saw, across turns, changes, a resume and a fork", async () => {
  await using world = await openThreadWorld({
    script: { turns: [{ items: [run] }, said("One."), said("Two."), said("Three."), said("Four.")] },
  });
  const codexHome = join(world.home, ".codex");
  await using harness = await world.openHarness({
    store: openThreadStore({ codexHome, clock: Date, pid: process.pid }),
  });
  const told: RequestCompletedEvent[] = [];
  const note = (events: readonly ThreadEvent[]): ThreadEvent | undefined => {
    told.push(...events.filter((event) => event.type === "request.completed"));
    return events.at(-1);
  };
  const first = await harness.openThread();
  note((await runToEnd(first, "a")).events);
  first.change({ approvalPolicy: "on-request" });
  note((await runToEnd(first, "b")).events);
  await first[Symbol.asyncDispose]();
  await using resumed = await harness.resumeThread(first.id);
  const resumedEnd = note((await runToEnd(resumed, "c")).events);
  await using fork = await harness.forkThread(first.id, { at: 1 });
  const forkEnd = note((await runToEnd(fork, "d")).events);

  const ends = world.model.requests.map(({ raw }) => raw.lastIndexOf('],"reasoning"'));
  expect(told.map(({ cache }) => cache.prefix_bytes)).toEqual(ends);
  // the fork continues from the second request, whose answer it has
  const before = [null, 0, 1, 2, 1];
  expect(told.map(({ cache }) => cache.shared_bytes)).toEqual(before.map((n) => (n === null ? 0 : ends[n])));
  for (const [at, n] of before.entries()) {
    if (n === null) continue;
    const [now, then] = [world.model.requests[at]?.raw, world.model.requests[n]?.raw];
    expect(now?.subarray(0, ends[n]).equals(then?.subarray(0, ends[n]) ?? Buffer.of())).toBe(true);
  }
  // to the scripted server a fork is another thread, of which it has nothing
  expect(told.map(({ cache }) => cache.miss?.type ?? null)).toEqual([null, null, null, null, "unexplained"]);
  expect(told.slice(1, 4).map(({ cache }) => cache.cached_tokens)).toEqual(
    told.slice(1, 4).map(({ cache }) => cache.shared_tokens),
  );

  const inputs = told.map(({ usage }) => usage?.input_tokens ?? 0);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
  expect(resumedEnd).toMatchObject({
    usage: { input_tokens: inputs[3] },
    thread_usage: { input_tokens: sum(inputs.slice(0, 4)) },
  });
  expect(forkEnd).toMatchObject({ thread_usage: { input_tokens: inputs[4] } });

  // as programs that add up usage read it
  const counts = await Promise.all(
    globSync("sessions/**/*.jsonl", { cwd: codexHome }).map(async (file) => {
      const text = await readFile(join(codexHome, file), "utf8");
      return [...text.matchAll(/"token_count","info":\{"last_token_usage":\{"input_tokens":(\d+)/g)].map(([, n]) =>
        Number(n),
      );
    }),
  );
  expect(counts.toSorted((a, b) => b.length - a.length)).toEqual([inputs.slice(0, 4), inputs.slice(4)]);
});
