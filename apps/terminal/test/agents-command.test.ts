import { execFileSync } from "node:child_process";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import type { CapturedRequest, Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { keys, openTerminalWorld } from "./terminal-world.ts";

const spawn = (task: string, rest: object): Turn => ({
  items: [{ call: "spawn_agent", arguments: { task_name: task, message: `Task: ${task}.`, ...rest } }],
});

const wait = { cmd: "sleep 300", login: false, yield_time_ms: 300_000 };

/** The thread of the task `count` waits in a command. */
function respond(request: CapturedRequest): Turn | null {
  const texts = request.input.map((item) => JSON.stringify(item));
  const isLast = (text: string): boolean => texts.at(-1)?.includes(text) === true;
  if (texts.some((text) => text.includes("Task: count.")) && !texts.some((text) => text.includes("Begin")))
    return { items: [{ text: "I count." }, { call: "exec_command", arguments: wait }] };
  if (isLast("And now?")) return { items: [{ text: "Nothing more." }] };
  return isLast("Begin") ? spawn("count", { wait: false }) : null;
}

test("/agents lists sub-agents, shows the transcript of one, writes to it and stops it; the model gets its end", async () => {
  await using world = await openTerminalWorld({ respond, config: "agents.enabled = true" });
  const seat = world.start({ prompt: "Begin" }, { columns: 110, rows: 30 });
  const say = async (line: string, shown: string): Promise<void> => {
    seat.type(`${line}${keys.enter}`);
    await seat.shows(shown);
  };
  const answer = async (key: string): Promise<void> => {
    await seat.pass(1000);
    seat.type(key);
  };
  await seat.shows("all finished");
  await seat.shows("running · sleep 300"); // its row
  await say("/agents", "count  running · sleep 300");
  await answer(keys.enter);
  await seat.shows("read it");
  await answer(keys.enter);
  await seat.shows("I count.");
  await seat.shows("(running · sleep 300");
  expect(seat.screen().join("\n")).not.toContain("unknown");
  await answer(keys.escape);
  await seat.hides("I count.");
  await say("/agents send count Hurry.", "Sent to count.");
  await say("/agents stop count", "Stopped: count");
  await say("/agents stop nobody", "There is no sub-agent nobody. /agents lists all.");
  await say("/status", "count: stopped · ");
  await say("And now?", "Nothing more.");
  await seat.shows("sub-agents: 1 (1 stopped), ");
  const last = JSON.stringify(world.model.requests.at(-1)?.input);
  expect(last).toContain("count (thread");
  expect(last).toContain("stopped");
  seat.type(`/quit${keys.enter}`);
  expect(await seat.exitCode).toBe(0);
});

test("/agents shows the whole tree with its sums, and reads, writes to and stops sub-agents of sub-agents", async () => {
  await using world = await openTerminalWorld({
    respond(request) {
      const texts = request.input.map((item) => JSON.stringify(item));
      const isOf = (text: string): boolean => texts.some((each) => each.includes(`"text":"${text}`));
      if (isOf("Task: deep.")) return { items: [{ text: "I dig." }, { call: "exec_command", arguments: wait }] };
      if (isOf("Task: count.")) return texts.at(-1)?.includes("_output") === true ? null : spawn("deep", {});
      return texts.at(-1)?.includes("Begin") === true ? spawn("count", { wait: false }) : null;
    },
    config: "agents.enabled = true\nagents.max_depth = 2",
  });
  const seat = world.start({ prompt: "Begin" }, { columns: 110, rows: 30 });
  const say = async (line: string, shown: string): Promise<void> => {
    seat.type(`${line}${keys.enter}`);
    await seat.shows(shown);
  };
  await seat.shows("deep: running · sleep 300"); // its row
  await say("/agents", "Sub-agents: 2 (2 running), ");
  await seat.shows("count / deep  running · sleep 300");
  await seat.pass(1000);
  seat.type(keys.escape);
  await seat.hides("Sub-agents: 2");
  await say("/agents count / deep", "I dig.");
  seat.type(keys.escape);
  await seat.hides("I dig.");
  await say("/agents send count / deep Hurry.", "Sent to count / deep.");
  await say("/agents stop count / deep", "Stopped: count / deep");
  await seat.shows("completed · "); // the row of the one that started it
  await say("/status", "sub-agents: 2 (1 completed, 1 stopped), ");
  await say("/agents stop count / deep", "count / deep cannot be reached: the sub-agent that started it does not run.");
  seat.type(`/quit${keys.enter}`);
  expect(await seat.exitCode).toBe(0);
});

test("/agents diff shows the changes of a sub-agent in its worktree; one without has none", async () => {
  const edit = { items: [{ call: "exec_command", arguments: { cmd: "echo two > a.txt", login: false } }] };
  await using world = await openTerminalWorld({
    respond(request) {
      const last = JSON.stringify(request.input.at(-1));
      if (last.includes("Task: change.")) return edit;
      if (last.includes("Begin")) return spawn("change", { worktree: true });
      return last.includes("Plain") ? spawn("plain", {}) : null;
    },
    files: { "a.txt": "one\n" },
    config: "agents.enabled = true",
  });
  const git = (...args: readonly string[]): unknown =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: world.work });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "First");
  const seat = world.start({ prompt: "Begin" }, { columns: 200, rows: 30 });
  await seat.shows("all finished");
  await seat.shows(" · diff"); // of a long path the rest is in the next row
  seat.type(`/agents diff change${keys.enter}`);
  await seat.shows("+two");
  await seat.shows("Changes of change: git apply ");
  seat.type(keys.escape);
  await seat.hides("+two");
  seat.type(`Plain${keys.enter}`);
  await seat.shows("plain");
  await seat.shows("sub-agents: 2 (2 completed), ");
  seat.type(`/agents diff plain${keys.enter}`);
  await seat.shows("plain has no diff: it gets one when it ends in a worktree.");
  seat.type(`/quit${keys.enter}`);
  expect(await seat.exitCode).toBe(0);
});

test("the cost in the status line counts sub-agents, also after the thread is resumed", async () => {
  const usage = { input_tokens: 1000, output_tokens: 100, total_tokens: 1100 };
  const counts = { ...usage, input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 } };
  const call = { call: "spawn_agent", arguments: { task_name: "look", message: "Task: look." } };
  await using world = await openTerminalWorld({
    respond(request) {
      const texts = request.input.map((item) => JSON.stringify(item));
      const isChild = !texts.some((text) => text.includes("Begin"));
      if (isChild || texts.at(-1)?.includes("_output") === true) return { items: [{ text: "Seen." }], usage: counts };
      return { items: [call], usage: counts };
    },
    config: "agents.enabled = true",
  });
  const price = `[models.gpt-5-codex]\nprovider = "test"\nprice = { input = 100, cached_input = 10, output = 1000 }\n`;
  await appendFile(join(world.home, ".codex/config.toml"), `\n${price}[tui]\nstatus_line = ["cost"]\n`);
  const seat = world.start({ prompt: "Begin" });
  await seat.shows("$0.600"); // three requests, one of them of the sub-agent
  await seat.leave();
  const second = world.start({ from: { name: "last", all: false, copiedTurns: null } });
  await second.shows("$0.600");
  expect(second.screen().join("\n")).toContain("look");
});
