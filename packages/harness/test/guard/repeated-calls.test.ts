import type { Turn, TurnItem } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd } from "../thread-world.ts";

const run = (command: string): Turn => ({
  items: [{ call: "exec_command", arguments: { cmd: command, login: false } }],
});
/** Cheaper than a command. */
const plan = (step: string): Turn => ({
  items: [{ call: "update_plan", arguments: { plan: [{ step, status: "pending" }] } }],
});
const done: Turn = { items: [{ text: "Done." }] };
const config = ["repeated_calls.nudge_after=2", "repeated_calls.stop_after=4"];
const nudge = "had the same results";

const times = (count: number, turn: Turn): readonly Turn[] => Array.from({ length: count }, () => turn);

test("a model that repeats itself gets one notice, then is stopped with a code of its own", async () => {
  const turns = [plan("a"), plan("b"), ...times(9, plan("a"))];
  await using world = await openThreadWorld({ script: { turns } });
  await using thread = await world.openThread({ config });
  const { outcome } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({
    error: {
      code: "repeated_calls",
      message: expect.stringContaining("4 steps in a row were calls that it had already made"),
    },
  });
  const told = world.model.requests.map(({ raw }) => raw.toString().split(nudge).length - 1);
  expect(told).toEqual([0, 0, 0, 0, 1, 1]);
  expect(world.model.violations).toEqual([]);
});

test("circles of several calls are circles, and a result that differs ends them", async () => {
  const round = [run("cat n"), plan("x")];
  const turns = [...round, run("echo 1 > n"), ...round, ...round, run("echo 2 > n"), ...round, done];
  await using world = await openThreadWorld({ script: { turns } }, { files: { n: "0" } });
  await using thread = await world.openThread({ config });
  expect((await runToEnd(thread, "Go")).outcome.type).toBe("completed");
  expect(world.model.requests.at(-1)?.raw.toString().split(nudge)).toHaveLength(2);
});

test("waiting for a running session is not a repetition, and neither is the same call in another turn", async () => {
  const wait: TurnItem = { call: "write_stdin", arguments: { session_id: 1, yield_time_ms: 10 } };
  const start = { call: "exec_command", arguments: { cmd: "sleep 60", login: false, yield_time_ms: 10 } };
  const turns = [{ items: [start] }, ...times(6, { items: [wait] }), done];
  await using world = await openThreadWorld({ script: { turns: [...turns, { items: [start] }, done] } });
  await using thread = await world.openThread({ config: [...config, "shell_tool=exec_command"] });
  for (const input of ["Go", "Again"]) expect((await runToEnd(thread, input)).outcome.type).toBe("completed");
  expect(world.model.requests.at(-1)?.raw.toString()).not.toContain(nudge);
});

test("with 0 there is no notice and no stop", async () => {
  await using world = await openThreadWorld({ script: { turns: [...times(14, plan("a")), done] } });
  await using thread = await world.openThread({
    config: ["repeated_calls.nudge_after=0", "repeated_calls.stop_after=0"],
  });
  expect((await runToEnd(thread, "Go")).outcome.type).toBe("completed");
  expect(world.model.requests.at(-1)?.raw.toString()).not.toContain(nudge);
});
