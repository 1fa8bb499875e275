import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type NumberedEvent, type Person, type Question, replayThread, type ThreadEvent } from "@unroll/protocol";
import { openThreadStore } from "@unroll/rollout";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import type { CallableTool } from "@unroll/tools";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

const config = ["shell_tool=exec_command"];

/** Starts a script and leaves it running at once. */
const exec = (cmd: string, args: object = {}): object => ({
  call: "exec_command",
  arguments: { cmd, login: false, yield_time_ms: 0, ...args },
});
/** Sessions are numbered from 1 here. */
const write = (args: object): object => ({ call: "write_stdin", arguments: { session_id: 1, ...args } });
const receive = { call: "receive", arguments: {} };
const say = { items: [{ text: "Done." }] };

/** Turns of one item each, in a folder with the pipes `up` and `down`. */
async function openWorld(...items: readonly object[]): Promise<ThreadWorld> {
  const world = await openThreadWorld({
    script: { turns: items.map((item) => ("items" in item ? item : { items: [item] })) as never },
  });
  execFileSync("mkfifo", ["up", "down"], { cwd: world.work });
  return world;
}

/** A tool that gives what a command writes into `up`: the model's own way to wait for a command. */
function receiveFrom(world: ThreadWorld): CallableTool {
  return {
    type: "callable",
    name: "receive",
    spec: { type: "function", name: "receive", description: "", strict: false, parameters: { type: "object" } },
    prepare: () => ({
      type: "call.ready",
      concurrency: "exclusive",
      plan: async () => ({
        type: "call.planned",
        gated: { type: "tool", tool: "receive", arguments: {}, approval: "run" },
        run: async () => ({ answer: await readFile(join(world.work, "up"), "utf8") }),
      }),
    }),
  };
}

/** The outputs that the model was given, in order. */
function outputsOf(world: ThreadWorld): readonly string[] {
  const input = world.model.requests.at(-1)?.input ?? [];
  return input.flatMap((item) => (typeof item["output"] === "string" ? [item["output"]] : []));
}

const commandEvents = (events: readonly ThreadEvent[]) =>
  events.flatMap((event) =>
    "item" in event && event.item.type === "command_execution" ? [[event.type, event.item.id, event.item.status]] : [],
  );

/** A zombie has no arguments. */
function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}

test("a command keeps running in the next turn, and its item stays the same", async () => {
  await using world = await openWorld(exec("echo one; read -r line <down; echo $line"), say, write({}), say);
  await using thread = await world.openThread({ config });
  const first = await runToEnd(thread, "Start it");
  expect(commandEvents(first.events)).toEqual([
    ["item.started", "item_0", "in_progress"],
    ["item.updated", "item_0", "in_progress"],
  ]);
  expect(thread.backgroundCommands.list()).toMatchObject([{ id: 1, isRunning: true, cwd: world.work }]);

  await writeFile(join(world.work, "down"), "two\n");
  const second = await runToEnd(thread, "Go on");
  expect(commandEvents(second.events)).toEqual([["item.completed", "item_0", "completed"]]);
  expect(outputsOf(world)[0]).toMatch(/^Still running: session 1\n/);
  expect(outputsOf(world)[1]).toMatch(/^Exit code: 0\n[^]*two\n$/);
  expect(outputsOf(world).join("")).toContain("one\n");
  expect(thread.backgroundCommands.list()).toEqual([]);
});

test("the end of a command between two turns is reported at once, and once; the model gets it when it asks", async () => {
  await using world = await openWorld(exec("read -r line <down; echo $line; exit 3"), say, write({}), say);
  await using thread = await world.openThread({ config });
  const told = thread.events({ ofTurns: false });
  const next = async (): Promise<NumberedEvent | undefined> => (await told.next()).value ?? undefined;
  expect((await next())?.event).toMatchObject({ type: "thread.started" });
  const first = await runToEnd(thread, "Start it");
  expect(first.events.at(-1)?.type).toBe("turn.completed");

  await writeFile(join(world.work, "down"), "two\n");
  const ended = {
    type: "item.completed",
    item: {
      id: "item_0",
      type: "command_execution",
      command: expect.stringContaining("read -r line"),
      aggregated_output: "two\n",
      exit_code: 3,
      status: "failed",
    },
  };
  expect(await next()).toMatchObject({ turnId: null, event: ended });
  const second = await runToEnd(thread, "Go on");
  expect(second.events.slice(0, 2)).toMatchObject([ended, { type: "turn.started" }]);
  expect(commandEvents(second.events)).toEqual([["item.completed", "item_0", "failed"]]);
  expect(outputsOf(world)[1]).toMatch(/^Exit code: 3\n[^]*two\n$/);
});

test("closing the thread reports each command that it ends, before its events end", async () => {
  const script = "read -r line <down";
  await using world = await openWorld(exec(script), exec(script), say);
  const thread = await world.openThread({ config });
  await runToEnd(thread, "Go");
  const told = thread.events();
  const reading = (async () => {
    const events: ThreadEvent[] = [];
    for await (const { event } of told) events.push(event);
    return events;
  })();
  await thread[Symbol.asyncDispose]();
  const toEnd = (id: string): object => ({
    type: "item.completed",
    item: {
      id,
      type: "command_execution",
      command: expect.stringContaining(script),
      aggregated_output: "",
      exit_code: null,
      status: "failed",
      reason: "It was ended with its thread.",
      cwd: thread.config.cwd,
      call_id: expect.any(String),
      started_at: expect.any(Number),
      duration_ms: expect.any(Number),
    },
  });
  const ends = (await reading).toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  expect(ends).toEqual([toEnd("item_0"), toEnd("item_1")]);
});

test("a command in a terminal reads what is typed", async () => {
  const script = "test -t 0 && test -t 1; echo terminal $?; read -r line; echo got $line";
  await using world = await openWorld(
    exec(script, { tty: true }),
    write({ chars: "hello\n", yield_time_ms: 60_000 }),
    say,
  );
  await using thread = await world.openThread({ config });
  expect((await runToEnd(thread, "Go")).outcome.type).toBe("completed");
  expect(outputsOf(world).join("")).toContain("terminal 0\n");
  expect(outputsOf(world)[1]).toMatch(/^Exit code: 0\n[^]*got hello\n$/);
});

test("^C reaches a command in a terminal, which may do with it what it likes", async () => {
  const script = "trap 'echo caught; exit 3' INT; echo ready >up; read line";
  const interrupt = write({ chars: "\u0003", yield_time_ms: 60_000 });
  await using world = await openWorld(exec(script, { tty: true }), receive, interrupt, say);
  await using thread = await world.openThread({ config, tools: [receiveFrom(world)] });
  await runToEnd(thread, "Go");
  expect(outputsOf(world)[2]).toMatch(/^Exit code: 3\n[^]*caught\n$/);
});

test("without a terminal stdin is empty: what would read it ends", async () => {
  await using world = await openWorld(exec("cat; echo over", { yield_time_ms: 60_000 }), say);
  await using thread = await world.openThread({ config });
  await runToEnd(thread, "Go");
  expect(outputsOf(world)[0]).toMatch(/^Exit code: 0\n[^]*Output:\nover\n$/);
});

test("kill ends a command with all it started, also what ignores ^C", async () => {
  const script = "trap '' INT; cat <down & echo $! >up; cat";
  await using world = await openWorld(exec(script, { tty: true }), receive, write({ kill: true }), say);
  await using thread = await world.openThread({ config, tools: [receiveFrom(world)] });
  await runToEnd(thread, "Go");
  const [, pid, end] = outputsOf(world);
  expect(end).toMatch(/^stopped by write_stdin after /);
  expect(isRunning(Number(pid))).toBe(false);
});

test("closing the thread ends its sessions and leaves nothing", async () => {
  const script = "echo $$ >up; cat <down";
  await using world = await openWorld(exec(script), receive, exec(script, { tty: true }), receive, say);
  const thread = await world.openThread({ config, tools: [receiveFrom(world)] });
  await runToEnd(thread, "Go");
  const pids = outputsOf(world).map(Number).filter(Number.isInteger);
  expect(pids.map(isRunning)).toEqual([true, true]);
  await thread[Symbol.asyncDispose]();
  expect(pids.map(isRunning)).toEqual([false, false]);
});

test("an interruption stops the command of the call, and of one that runs on only the waiting", async () => {
  const background = exec("echo $$ >up; cat <down");
  const foreground = exec("echo started; cat <down", { yield_time_ms: 60_000 });
  const poll = write({ yield_time_ms: 60_000 });
  await using world = await openWorld(background, receive, foreground, poll, say);
  await using thread = await world.openThread({ config, tools: [receiveFrom(world)] });
  const running = (): readonly number[] =>
    thread.backgroundCommands.list().flatMap(({ id, isRunning }) => (isRunning ? [id] : []));

  const first = new AbortController();
  for await (const event of thread.run("Start both", { signal: first.signal })) {
    if (event.type === "item.delta" && event.delta === "started\n") first.abort();
  }
  expect(running()).toEqual([1]);

  const second = new AbortController();
  const turn = thread.run("Wait", { signal: second.signal });
  for await (const event of turn) if (event.type === "request.completed") second.abort();
  expect(running()).toEqual([1]);

  await runToEnd(thread, "Go on");
  const [, pid, stopped, polled] = outputsOf(world);
  expect(stopped).toMatch(/^aborted by user after /);
  expect(polled).toMatch(/^Still running: session 1\n|^aborted by user/);
  expect(isRunning(Number(pid))).toBe(true);
});

test("a program can list and end the commands that the model left running, and the model gets the end", async () => {
  await using world = await openWorld(exec("cat <down"), say, write({}), say);
  await using thread = await world.openThread({ config });
  await runToEnd(thread, "Start it");
  expect(thread.backgroundCommands.list()).toEqual([
    { id: 1, command: "cat <down", cwd: world.work, hasTerminal: false, isRunning: true, exitCode: null },
  ]);
  expect(await thread.backgroundCommands.kill(1)).toBe(true);
  const { events } = await runToEnd(thread, "Look");
  expect(commandEvents(events)).toEqual([["item.completed", "item_0", "failed"]]);
  expect(outputsOf(world)[1]).toMatch(/^aborted by user after /);
});

test("a command that is left running has an unknown end where a thread is forked or its process is killed, and its own end otherwise", async () => {
  await using world = await openWorld(exec("cat <down"), say, say);
  const codexHome = join(world.home, ".codex");
  const store = openThreadStore({ codexHome, clock: { now: Date.now }, pid: process.pid });
  const replay = async (id: string): Promise<readonly ThreadEvent[]> => [
    ...replayThread((await store.load(id)).entries),
  ];
  await using harness = await world.openHarness({ store, config });
  const thread = await harness.openThread();
  const { events } = await runToEnd(thread, "Start it");
  const leftRunning = events.find(({ type }) => type === "item.updated");
  if (leftRunning?.type !== "item.updated") throw new Error("no event says that the command was left running");
  const unknown = { type: "item.completed", item: { ...leftRunning.item, status: "unknown" } };
  const commands = (all: readonly ThreadEvent[]): readonly ThreadEvent[] =>
    all.filter((event) => "item" in event && event.item.type === "command_execution");
  expect(commands(await replay(thread.id))).toEqual([leftRunning, unknown]); // a killed process leaves the same file

  const fork = await harness.forkThread(thread.id);
  await runToEnd(fork, "Go on");
  await fork[Symbol.asyncDispose]();
  expect(commands(await replay(fork.id))).toEqual([leftRunning, unknown]);

  await thread[Symbol.asyncDispose]();
  expect(commands(await replay(thread.id))).toMatchObject([
    leftRunning,
    { type: "item.completed", item: { status: "failed", reason: "It was ended with its thread." } },
  ]);
});

test("a rule that forbids a command cannot be got round by typing it, nor by another shell", async () => {
  const typed = write({ chars: "git push\n" });
  const other = exec("git push", { shell: "/bin/dash", yield_time_ms: 60_000 });
  await using world = await openWorld(exec("cat", { tty: true }), typed, other, say);
  await mkdir(join(world.home, ".codex/rules"), { recursive: true });
  const rule = 'prefix_rule(pattern=["git", "push"], decision="forbidden")\n';
  await writeFile(join(world.home, ".codex/rules/my.rules"), rule);
  await using thread = await world.openThread({ config });
  await runToEnd(thread, "Go");
  expect(outputsOf(world)[1]).toMatch(/^Nothing was typed: Not run: forbidden by policy\. .*my\.rules:1/);
  expect(outputsOf(world)[2]).toMatch(/^The command was not run: Not run: forbidden by policy\. .*my\.rules:1/);
});

test.skipIf(!hasSandbox)(
  "on-failure does not ask about a command that was left running, and the output says so",
  async () => {
    const script = "read -r line <down; touch ../made";
    const again = exec("touch ../made", { sandbox_permissions: "require_escalated", yield_time_ms: 60_000 });
    await using world = await openWorld(exec(script), say, write({ yield_time_ms: 60_000 }), again, say);
    const asked: Question[] = [];
    const person: Person = {
      async answer(question) {
        asked.push(question);
        return { type: "approved.once" };
      },
    };
    const walls = ["sandbox_mode=workspace-write", "sandbox_workspace_write.exclude_slash_tmp=true"];
    const temporary = "sandbox_workspace_write.exclude_tmpdir_env_var=true";
    const settings = [...config, "approval_policy=on-failure", ...walls, temporary];
    await using thread = await world.openThread({ person, config: settings });
    await runToEnd(thread, "Start it");
    await writeFile(join(world.work, "down"), "go\n");
    await runToEnd(thread, "Go on");
    expect(JSON.stringify(world.model.requests[0]?.input)).toContain(
      "Of a command that was left running the harness does not ask",
    );
    expect(outputsOf(world)[1]).toMatch(
      /The sandbox policy .* call again with sandbox_permissions "require_escalated"/,
    );
    expect(asked).toMatchObject([{ command: "touch ../made", askedBy: "the model's request" }]);
    expect(outputsOf(world)[2]).toMatch(/^Exit code: 0\n/);
  },
);
