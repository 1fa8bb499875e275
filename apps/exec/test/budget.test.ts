import { defineExecCommand, type ExecOptions } from "@unroll/exec";
import { Command } from "commander";
import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openExecWorld } from "./exec-world.ts";

const run = (command: string): Turn => ({
  items: [{ call: "exec_command", arguments: { cmd: command, login: false } }],
});
const plan: Turn = { items: [{ call: "update_plan", arguments: { plan: [{ step: "Go", status: "pending" }] } }] };
const said = (text: string): Turn => ({ items: [{ text }] });
const open = { sandbox: "danger-full-access" } as const;

async function parse(args: readonly string[]): Promise<ExecOptions> {
  let parsed: ExecOptions = {};
  const command = new Command("exec").exitOverride().configureOutput({ writeErr: () => {} });
  defineExecCommand(command, async (options) => void (parsed = options));
  await command.parseAsync([...args], { from: "user" });
  return parsed;
}

test("a budget that is used up ends the run with exit code 3, one terminal event and what was spent", async () => {
  await using world = await openExecWorld({ script: { turns: [plan, plan, said("Never.")] } });
  const flags = ["--json", "-s", "danger-full-access", "--max-turns", "2", "--max-tokens", "1_000_000", "Go"];
  const ran = await world.run(await parse(flags));
  expect(ran.exitCode).toBe(3);
  expect(ran.events.filter(({ type }) => /^turn\.(completed|failed)/.test(String(type)))).toHaveLength(1);
  expect(ran.events.at(-1)).toMatchObject({
    error: { code: "budget_exhausted", budget: { limit: "max_turns", of: "run", max: 2, spent: 2 } },
  });
  expect(ran.events.findLast(({ type }) => type === "budget.updated")).toMatchObject({
    limits: [
      { limit: "max_turns", spent: 2 },
      { limit: "max_tokens", max: 1_000_000 },
    ],
  });
});

test("the progress ends with what is left of the budget", async () => {
  await using world = await openExecWorld({ script: { turns: [said("Done.")] } });
  const ran = await world.run({ prompt: "Go", maxTurns: "5", maxTime: "10m" });
  expect(ran.exitCode).toBe(0);
  expect(ran.stderr).toMatch(/\nbudget: 1 of 5 requests, \d of 600 s\n$/);
});

test("--max-time ends a running command, and the exit code is that of the budget and not of a signal", async () => {
  await using world = await openExecWorld({ script: { turns: [run("sleep 60")] } });
  const ran = await world.run({ ...open, prompt: "Go", maxTime: "0.3s", json: true });
  expect(ran.exitCode).toBe(3);
  expect(ran.events.at(-1)).toMatchObject({
    error: { code: "budget_exhausted", budget: { limit: "max_time", max: 0.3 } },
  });
  expect(JSON.stringify(ran.events)).toMatch(/"reason":"Stopped after [\d.]+ s\."/); // not by you
});

test("a model that goes in circles ends the run with exit code 4", async () => {
  await using world = await openExecWorld({ script: { turns: [plan], atEnd: "repeat-last" } });
  const ran = await world.run({ ...open, prompt: "Go", config: ["repeated_calls.stop_after=3"] });
  expect(ran).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("The model repeated itself") });
});

test("invalid limits, and a cost that cannot be known, are refused before any request", async () => {
  await using world = await openExecWorld({ script: { turns: [] } });
  const complaint = async (options: ExecOptions): Promise<string> => {
    const { exitCode, stderr } = await world.run({ prompt: "Go", ...options });
    expect(exitCode).toBe(2);
    return stderr;
  };
  expect(await complaint({ maxTurns: "many" })).toContain("--max-turns");
  expect(await complaint({ maxTokens: "-5" })).toContain("--max-tokens");
  expect(await complaint({ maxTime: "soon" })).toContain(
    "--max-time soon: expected a time, such as 90, 90s, 10m or 2h.",
  );
  expect(await complaint({ maxCost: "1", model: "nobody-knows" })).toContain(
    "max_cost cannot be checked: the price of the model nobody-knows is not known.",
  );
  expect(world.model.requests).toEqual([]);
});

test("a thread switches to another model only if the command line accepts the cost", async () => {
  await using world = await openExecWorld({ script: { turns: [said("One."), { ...said("Two."), newEpoch: true }] } });
  await world.run({ prompt: "a" });
  const resume = async (...flags: readonly string[]) =>
    world.run(await parse(["--json", "-m", "gpt-5-codex", ...flags, "resume", "--last", "b"]));
  const refused = await resume();
  expect(refused.exitCode).toBe(2);
  expect(refused.events.at(-1)).toMatchObject({
    type: "turn.failed",
    error: { code: "other_model", message: expect.stringContaining("--allow-cache-break") },
  });
  const allowed = await resume("--allow-cache-break");
  expect(allowed.exitCode).toBe(0);
  expect(allowed.events.slice(0, 3)).toMatchObject([
    { type: "thread.started" },
    { type: "epoch.opened", cause: "the model was changed from gpt-5 of test to gpt-5-codex of test", shared_items: 0 },
    { type: "turn.started" },
  ]);
  expect(world.model.violations).toEqual([]);
});
