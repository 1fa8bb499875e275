import { readdir } from "node:fs/promises";
import type { CapturedRequest, Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openExecWorld } from "./exec-world.ts";

const config = ["agents.enabled=true"];
const startOne = {
  items: [{ call: "spawn_agent", arguments: { task_name: "look", message: "Look.", wait: false } }],
} as const;

function textOf(request: CapturedRequest): string {
  return JSON.stringify(request.input);
}

test("exec waits for a sub-agent in the background, and the model answers with its report", async () => {
  const answered = Promise.withResolvers<void>();
  await using world = await openExecWorld({
    async respond(request): Promise<Turn> {
      const text = textOf(request);
      if (text.includes("Found it.")) return { items: [{ text: "It found it." }] };
      if (text.includes("still running")) {
        answered.resolve();
        return { items: [{ text: "It looks." }] };
      }
      if (text.includes('"Go"')) return startOne;
      await answered.promise; // it ends behind the first final message, or just before
      return { items: [{ text: "Found it." }] };
    },
  });
  const ran = await world.run({ prompt: "Go", config });
  expect([ran.exitCode, ran.stdout]).toEqual([0, "It found it.\n"]);
  expect(ran.stderr).not.toContain("Stopped with the run");
});

test("with --stop-agents exec ends sub-agents in the background, and names them", async () => {
  await using world = await openExecWorld({
    respond(request): Turn {
      const text = textOf(request);
      if (text.includes("still running")) return { items: [{ text: "It looks." }] };
      return text.includes('"Go"') ? startOne : { items: [], end: "none", keepOpen: true };
    },
  });
  const ran = await world.run({ prompt: "Go", config, stopAgents: true });
  expect([ran.exitCode, ran.stdout]).toEqual([0, "It looks.\n"]);
  expect(ran.stderr).toMatch(/^Stopped with the run: look \(thread \S+\)\. Without --stop-agents/m);
});

test("explorer has the small model, also where the command line names a model", async () => {
  await using world = await openExecWorld({
    respond(request): Turn {
      if (textOf(request).includes('"Look."')) return { items: [{ text: "Seen." }] };
      if (request.input.at(-1)?.["type"] === "function_call_output") return { items: [{ text: "End." }] };
      const input = { task_name: "look", message: "Look.", agent_type: "explorer" };
      return { items: [{ call: "spawn_agent", arguments: input }] };
    },
  });
  const small = "agents.small_model=gpt-5-mini";
  const ran = await world.run({ prompt: "Go", model: "gpt-5", config: [...config, small] });
  expect([ran.exitCode, ran.stdout]).toEqual([0, "End.\n"]);
  expect(world.model.requests.map(({ body }) => body["model"])).toEqual(["gpt-5", "gpt-5-mini", "gpt-5"]);
});

test("--json shows the tree of sub-agents, and nobody is asked for any of them", async () => {
  const start = (message: string): Turn => ({
    items: [{ call: "spawn_agent", arguments: { task_name: message.toLowerCase(), message } }],
  });
  const touch: Turn = { items: [{ call: "exec_command", arguments: { cmd: "touch made" } }] };
  const steps = new Map<unknown, number>();
  const plays: Readonly<Record<string, readonly Turn[]>> = { Go: [start("Work")], Work: [start("Dig")], Dig: [touch] };
  await using world = await openExecWorld({
    respond(request): Turn {
      const thread = request.headers["thread-id"];
      const step = steps.get(thread) ?? 0;
      steps.set(thread, step + 1);
      const task = Object.keys(plays).find((name) => textOf(request).includes(`"text":"${name}"`)) ?? "";
      return plays[task]?.[step] ?? { items: [{ text: "Done." }] };
    },
  });
  const limits = ["agents.max_depth=2", "approval_policy=untrusted", "sandbox_mode=danger-full-access"];
  const ran = await world.run({ prompt: "Go", json: true, config: [...config, ...limits] });
  const events = ran.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const dig = { name: "dig", state: "completed", last_action: "touch made" };
  const work = { name: "work", state: "completed", last_action: "spawn_agent", agents: [dig] };
  expect(events.filter(({ type }) => type === "item.completed")[0]).toMatchObject({ item: { agent: work } });
  expect(events.at(-1)).toMatchObject({ type: "turn.completed", agents: [work] });
  const asked = world.model.requests.map(textOf).findLast((text) => text.includes('"text":"Dig"')) ?? "";
  expect(asked).toContain("not run");
  expect(await readdir(world.work)).not.toContain("made");
});
