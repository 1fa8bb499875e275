import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { fakeServer } from "../mcp-servers.ts";
import { runToEnd } from "../thread-world.ts";
import { agentTools, callsIn, config, openStore, openWorld, outputsOf, say, start, toolsOf } from "./agent-world.ts";

test("sub-agents that all start others end at the total, however deep they may nest", async () => {
  const task = "spread";
  const spread = (_: unknown, step: number): Turn =>
    step < 2 ? start(...Array.from({ length: 4 }, () => ({ message: task }))) : say("End.");
  await using world = await openWorld({ Ask: spread, [task]: spread });
  const limits = ["agents.max_depth=50", "agents.max_threads=50", "agents.max_total=12"];
  await using thread = await world.openThread({ config: [...config, ...limits] });
  const { events, outcome } = await runToEnd(thread, "Ask");
  expect(outcome).toMatchObject({ finalMessage: "End." });
  expect(new Set(world.model.requests.map(({ headers }) => headers["thread-id"])).size).toBe(13);
  const refused = callsIn(events).filter(({ status }) => status === "failed");
  expect(refused.at(-1)?.reason).toBe(
    "It was not started. 12 sub-agents were started already, which is the limit (agents.max_total). Do the task yourself, or send it to one of them.",
  );
});

test("a sub-agent at the deepest level starts none, even by a tool that it does not have", async () => {
  await using world = await openWorld({
    Ask: (_, step) => (step === 0 ? start({ message: "one" }) : say("End.")),
    one: (_, step) => (step === 0 ? start({ message: "two" }) : say("One.")),
  });
  await using thread = await world.openThread({ config });
  await runToEnd(thread, "Ask");
  const ofChild = world.model.requests.filter(({ raw }) => raw.toString().includes('"text":"one"'));
  expect(toolsOf(ofChild[0]).filter((name) => agentTools.includes(name))).toEqual([]);
  expect(outputsOf(ofChild[1])).toEqual([expect.stringContaining("spawn_agent")]);
  expect(new Set(world.model.requests.map(({ headers }) => headers["thread-id"])).size).toBe(2);
});

test("sub-agents one after the other count together, also those of an earlier process; one that exists may continue", async () => {
  await using world = await openWorld({
    Ask(_, step) {
      if (step === 4) return { items: [{ call: "send_message", arguments: { target: "a", message: "Go on." } }] };
      return step === 2 || step === 5 ? say("End.") : start({ message: "a", task_name: "a" });
    },
    a: () => say("A."),
  });
  const store = openStore(world);
  const limited = [...config, "agents.max_total=2"];
  const first = await world.openThread({ config: limited, store });
  await runToEnd(first, "Ask");
  await first[Symbol.asyncDispose]();
  await using again = await world.openThread({ config: limited, store, resume: first.id });
  const { events } = await runToEnd(again, "Ask");
  expect(callsIn(events).map(({ tool, status, reason }) => [tool, status, reason ?? null])).toEqual([
    [
      "spawn_agent",
      "failed",
      "It was not started. 2 sub-agents were started already, which is the limit (agents.max_total). Do the task yourself, or send it to one of them.",
    ],
    ["send_message", "completed", null],
  ]);
});

test("a child of a child has no more than all above it, at each moment", async () => {
  const patch = (name: string): Turn => ({
    items: [{ custom: "apply_patch", input: `*** Begin Patch\n*** Add File: ${name}\n+x\n*** End Patch` }],
  });
  await using world = await openWorld(
    {
      Ask: (_, step) =>
        step === 0 ? start({ message: "one", folder: "sub", tools: ["apply_patch", "spawn_agent"] }) : say("End."),
      one: (_, step) => (step === 0 ? start({ message: "two", sandbox: "danger-full-access" }) : say("One.")),
      two(_, step) {
        if (step === 0) return patch("made");
        if (step === 2) return say("Two.");
        thread.change({ sandboxMode: "read-only" });
        return patch("late");
      },
    },
    { files: { "sub/file": "x" } },
  );
  await using thread = await world.openThread({ config: [...config, "agents.max_depth=2"] });
  await runToEnd(thread, "Ask");
  const deepest = world.model.requests.findLast(({ raw }) => raw.toString().includes('"text":"two"'));
  expect(toolsOf(deepest)).toEqual(["apply_patch"]);
  expect(["sub/made", "sub/late"].map((name) => existsSync(join(world.work, name)))).toEqual([true, false]);
});

test("a sub-agent has the MCP tools of its parent, under the same policy, and none that its task does not name", async () => {
  const call: Turn = { items: [{ call: "mcp__fake__echo", arguments: { text: "hi" } }] };
  const asked: (string | undefined)[] = [];
  await using world = await openWorld({
    Ask: (_, step) =>
      step === 0 ? start({ message: "with" }, { message: "without", tools: ["update_plan"] }) : say("End."),
    with: (_, step) => (step === 0 ? call : say("With.")),
    without: (_, step) => (step === 0 ? call : say("Without.")),
  });
  await using thread = await world.openThread({
    config: [...config, ...fakeServer("fake"), "mcp_servers.fake.default_tools_approval_mode=prompt"],
    permissions: ["sandbox_mode=read-only", "approval_policy=on-request"],
    waitForMcp: true,
    person: {
      async answer({ type, agent }) {
        asked.push(`${type} ${agent}`);
        return { type: "denied", reason: null };
      },
    },
  });
  await runToEnd(thread, "Ask");
  const last = (text: string): readonly string[] =>
    outputsOf(world.model.requests.findLast(({ raw }) => raw.toString().includes(`"text":"${text}"`)));
  expect(asked).toEqual([expect.stringMatching(/ with$/)]);
  expect(last("with")).toEqual([expect.stringContaining("said no")]);
  expect(last("without")).toEqual([expect.stringContaining("mcp__fake__echo")]);
});
