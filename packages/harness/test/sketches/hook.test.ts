// Hooks with the seams alone: a program that gets every event, and a gate that judges every call before it runs.
import type { CallGate } from "@unroll/tools";
import { expect, test } from "vitest";
import { openThreadWorld } from "../thread-world.ts";

/** Refuses deployments; every other call goes to the thread's own gate. */
function hookBefore(gate: CallGate): CallGate {
  return {
    async judge(call, context) {
      if (call.type === "command" && call.request.argv.join(" ").includes("deploy"))
        return { type: "declined", message: "A hook refused it: nothing is deployed from here." };
      return gate.judge(call, context);
    },
  };
}

test("a hook sees every call before it runs, and may refuse it", async () => {
  const run = (command: string): object => ({ call: "exec_command", arguments: { cmd: command, login: false } });
  const turns = [{ items: [run("echo deploy"), run("echo hello")] as never }, { items: [{ text: "Done." }] }];
  await using world = await openThreadWorld({ script: { turns } });
  await using thread = await world.openThread({ gate: hookBefore });
  const told: string[] = [];
  for await (const event of thread.run("Go", { signal: new AbortController().signal }))
    if (event.type === "item.completed" && event.item.type === "command_execution")
      told.push(`${event.item.status}: ${event.item.reason ?? event.item.aggregated_output.trim()}`);
  expect(told).toEqual(["declined: A hook refused it: nothing is deployed from here.", "completed: hello"]);
});
