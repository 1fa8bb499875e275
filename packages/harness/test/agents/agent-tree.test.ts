import type { AgentProgress, ThreadEvent } from "@unroll/protocol";
import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { runToEnd } from "../thread-world.ts";
import { callsIn, config, openStore, openWorld, say, start } from "./agent-world.ts";

const deep = [...config, "agents.max_depth=2"];

/** The names and states in a tree, by name: those of one response start side by side. */
function toTree(agents: readonly AgentProgress[] | undefined): readonly unknown[] {
  const sorted = (agents ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return sorted.map(({ name, state, last_action: action, agents: own }) => [name, state, action, ...toTree(own)]);
}

test("a sub-agent is shown with those that it started, while they run, at the end of the turn and in a resumed thread", async () => {
  await using world = await openWorld({
    Ask: (_, step) => (step === 0 ? start({ message: "one" }) : say("End.")),
    one: (_, step) => (step === 0 ? start({ message: "two" }, { message: "three", wait: false }) : say("One.")),
    two: (_, step) => (step === 0 ? { items: [{ call: "exec_command", arguments: { cmd: "echo hi" } }] } : say("Two.")),
    three: () => ({ items: [], end: "none", keepOpen: true }),
  });
  const store = openStore(world);
  const first = await world.openThread({ config: deep, store, permissions: ["sandbox_mode=danger-full-access"] });
  const { events } = await runToEnd(first, "Ask");
  // the one in the background stops with the thread that started it
  const ended = ["one", "completed", "spawn_agent", ["three", "stopped", null], ["two", "completed", "echo hi"]];
  expect(callsIn(events).map(({ agent }) => toTree(agent && [agent])[0])).toEqual([ended]);
  const end = events.at(-1) as Extract<ThreadEvent, { readonly type: "turn.completed" }>;
  expect(toTree(end.agents)).toEqual([ended]);
  const shown = events.flatMap((event) =>
    event.type === "item.updated" && event.item.type === "tool_call" && event.item.agent ? [event.item.agent] : [],
  );
  const busy = ["two", "running", "echo hi"];
  expect(shown.flatMap(({ agents }) => toTree(agents))).toContainEqual(busy);
  await first[Symbol.asyncDispose]();
  await using again = await world.openThread({ config: deep, store, resume: first.id });
  expect(toTree(again.agents.list())).toEqual([ended]);
});

test("a call that waits says which reports the items of sub-agents have shown", async () => {
  const call = (name: string, given: object): Turn => ({ items: [{ call: name, arguments: given }] });
  const steps = [
    start({ message: "one", wait: false }),
    call("wait_agent", { targets: ["one"] }),
    call("send_message", { target: "one", message: "More" }),
    call("wait_agent", { targets: ["one"] }),
  ];
  await using world = await openWorld({ Ask: (_, step) => steps[step] ?? say("End."), one: () => say("One.") });
  await using thread = await world.openThread({ config });
  const { events } = await runToEnd(thread, "Ask");
  const [one] = thread.agents.list();
  const waited = callsIn(events).filter(({ tool }) => tool === "wait_agent");
  expect(waited.map(({ status, reported }) => [status, reported])).toEqual([
    ["completed", [one?.thread_id]],
    ["completed", [one?.thread_id]],
  ]);
});
