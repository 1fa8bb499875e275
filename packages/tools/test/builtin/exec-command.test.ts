import type { CommandOutcome } from "@unroll/protocol";
import {
  type CallGate,
  type CommandSessions,
  createBuiltinTools,
  createCommandSessions,
  type ToolRuntime,
} from "@unroll/tools";
import { describe, expect, test } from "vitest";
import {
  createFakeClock,
  createDenyingGate,
  createFakeOutputFiles,
  createGate,
  createInteractiveRunner,
  createPorts,
  createRuntime,
  type FakeClock,
  type FakeOutputFiles,
  exited,
  functionCall,
  type InteractiveRunner,
  outputText,
  runCalls,
  type RunOptions,
  type RunResult,
  toolCall,
  withoutToolCalls,
} from "../fake-ports.ts";

/** A thread whose model runs commands in sessions. */
interface World {
  readonly runner: InteractiveRunner;
  readonly clock: FakeClock;
  readonly sessions: CommandSessions;
  readonly outputFiles: FakeOutputFiles;
  readonly runtime: ToolRuntime;
  call(name: "exec_command" | "write_stdin", args: object, options?: RunOptions): Promise<RunResult>;
}

interface WorldOptions {
  readonly runner?: InteractiveRunner;
  readonly gate?: CallGate;
  readonly maxSessions?: number;
  readonly outputTokens?: number;
}

function createWorld(options: WorldOptions = {}): World {
  const { runner = createInteractiveRunner(), gate = createGate() } = options;
  const { maxSessions = 64, outputTokens = 10_000 } = options;
  const clock = createFakeClock();
  const outputFiles = createFakeOutputFiles();
  const sessions = createCommandSessions({ runner, clock, outputFiles, firstId: 7, maxSessions });
  const family = { shellTool: "exec_command", applyPatchTool: "custom" } as const;
  const tools = createBuiltinTools({ ...createPorts(), family, runner, sessions, outputFiles });
  const runtime = createRuntime(tools, { clock, outputFiles, outputTokens, gate });
  let calls = 0;
  return {
    runner,
    clock,
    sessions,
    outputFiles,
    runtime,
    call: (name, args, options) => runCalls(runtime, [functionCall(name, args, `call_${(calls += 1)}`)], options),
  };
}

const goOn = (id: number) =>
  `Go on with write_stdin and session_id ${id}: empty chars wait for more, "\\u0003" interrupts it, kill ends it.`;
const item = { id: "item_0", type: "command_execution", command: "make" };
const started = {
  type: "item.started",
  item: { ...item, aggregated_output: "", exit_code: null, status: "in_progress" },
};
const completed = (text: string, exitCode: number | null, status: string, reason?: string) => ({
  type: "item.completed",
  item: { ...item, aggregated_output: text, exit_code: exitCode, status, ...(reason !== undefined && { reason }) },
});
const stopped = "It was interrupted after 1 seconds.";

const delta = (text: string) => ({ type: "item.delta", item_id: "item_0", kind: "command_output", delta: text });

/** Leaves a command running at once. */
function leave(world: World, args: object = {}): Promise<RunResult> {
  return world.call("exec_command", { cmd: "make", yield_time_ms: 0, ...args });
}

function poll(world: World, args: object = {}): Promise<RunResult> {
  return world.call("write_stdin", { session_id: 7, yield_time_ms: 0, ...args });
}

/** Until a call waits for a session. */
async function untilWaiting({ clock }: World): Promise<void> {
  while (clock.sleepers === 0) await Promise.resolve();
}

describe("exec_command", () => {
  test("that ends while it is waited for tells exit code, time and output, as other commands do", async () => {
    const world = createWorld();
    const start = world.runner.nextStart();
    const running = world.call("exec_command", { cmd: "make" });
    await (await start).say("built\n");
    world.runner.last.exit(exited(""));
    const { items, events } = await running;
    expect(items).toEqual([
      {
        type: "function_call_output",
        call_id: "call_1",
        output: "Exit code: 0\nWall time: 1.2 seconds\nOutput:\nbuilt\n",
      },
    ]);
    expect(events).toEqual([started, delta("built\n"), completed("built\n", 0, "completed")]);
    expect(world.sessions.list()).toEqual([]);
  });

  test("goes on when its time is over, and says how to go on with it", async () => {
    const world = createWorld();
    const start = world.runner.nextStart();
    const running = world.call("exec_command", { cmd: "make" });
    await (await start).say("half\n");
    world.clock.advance(10_000);
    const result = await running;
    expect(outputText(result)).toBe(`Still running: session 7\nWall time: 10 seconds\nOutput:\nhalf\n${goOn(7)}`);
    expect(result.events).toEqual([started, delta("half\n")]);
    expect(world.clock.sleepers).toBe(0);
    expect(world.sessions.list()).toEqual([
      { id: 7, command: "make", cwd: "/project", hasTerminal: false, isRunning: true, exitCode: null },
    ]);
  });

  test("takes shell, login, folder and terminal from the call", async () => {
    const world = createWorld();
    await leave(world, { shell: "/bin/zsh", login: false, workdir: "src", tty: true });
    const { spec, hasTerminal } = world.runner.last;
    expect(hasTerminal).toBe(true);
    expect(spec).toEqual({
      argv: ["/bin/zsh", "-c", "make"],
      cwd: "/project/src",
      timeoutMs: 2_147_483_647,
      maxOutputBytes: 160_000,
      confinement: "policy",
    });
  });

  test("runs no program that only calls itself a shell", async () => {
    const result = await leave(createWorld(), { shell: "/tmp/bash" });
    expect(outputText(result)).toContain("- shell: must be bash, sh, zsh, dash or ksh");
  });

  test("that is declined is not started", async () => {
    const world = createWorld({ gate: createDenyingGate("No.") });
    const result = await leave(world);
    expect(outputText(result)).toBe("The command was not run: No.");
    expect(result.events).toEqual([started, completed("", null, "declined", "No.")]);
    expect(world.sessions.list()).toEqual([]);
  });

  test("applies a patch that was sent through it", async () => {
    const world = createWorld();
    const cmd = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch\nEOF";
    expect(outputText(await world.call("exec_command", { cmd }))).toContain("A a.txt");
  });

  test("is stopped when the turn is interrupted in its call", async () => {
    const world = createWorld();
    const controller = new AbortController();
    const start = world.runner.nextStart();
    const running = world.call("exec_command", { cmd: "make" }, { signal: controller.signal });
    await (await start).say("half\n");
    controller.abort();
    const result = await running;
    expect(outputText(result)).toBe("aborted by user after 1 seconds\nOutput:\nhalf\n");
    expect(result.events.at(-1)).toEqual(completed("half\n", null, "failed", stopped));
    expect(world.sessions.list()).toEqual([]);
  });

  test("runs again outside the sandbox where the gate lets it, as one item", async () => {
    const denial = { kind: "filesystem", confidence: "likely", reason: "Not there." } as const;
    const denied = { ...exited("", 1), denial } as CommandOutcome;
    const runner = createInteractiveRunner(({ spec, exit }) => exit(spec.confinement === "none" ? exited("") : denied));
    const gate = createGate((call) => ({
      type: "run",
      confinement: call.type === "command" && call.denial !== null ? "none" : "policy",
    }));
    const world = createWorld({ runner, gate });
    const result = await world.call("exec_command", { cmd: "make" });
    expect(outputText(result)).toBe("Exit code: 0\nWall time: 1.2 seconds\nOutput:\n");
    expect(result.events).toEqual([started, completed("", 0, "completed")]);
  });

  test("whose program does not exist, or whose runner breaks, is told and over", async () => {
    const missing: CommandOutcome = { type: "not_started", message: "There is no program make." };
    const world = createWorld({ runner: createInteractiveRunner(({ exit }) => exit(missing)) });
    const result = await world.call("exec_command", { cmd: "make", tty: true });
    expect(outputText(result)).toBe("The command could not be started: There is no program make.");
    const broken = createInteractiveRunner(() => {
      throw new Error("EMFILE");
    });
    const other = await createWorld({ runner: broken }).call("exec_command", { cmd: "make" });
    expect(outputText(other)).toBe("The command could not be started: EMFILE");
    expect(other.events).toEqual([started, completed("", null, "failed", "EMFILE")]);
  });
});

describe("write_stdin", () => {
  test("gives what is new since the last call, until the end", async () => {
    const world = createWorld();
    await leave(world);
    await world.runner.last.say("one\n");
    expect(outputText(await poll(world))).toContain("\nOutput:\none\nGo on");
    expect(outputText(await poll(world))).toContain("\nOutput:\nGo on");
    const waiting = poll(world, { yield_time_ms: 10 });
    await untilWaiting(world);
    await world.runner.last.say("two\n");
    world.runner.last.exit(exited("", 3));
    const last = await waiting;
    expect(outputText(last)).toBe("Exit code: 3\nWall time: 1.2 seconds\nOutput:\ntwo\n");
    expect(withoutToolCalls(last.events)).toEqual([delta("two\n"), completed("one\ntwo\n", 3, "failed")]);
    expect(outputText(await poll(world))).toBe(
      "There is no session 7: it has ended and you were told, or it never was. No session is open.",
    );
  });

  test("waits by itself: long for output, short after typing", async () => {
    const world = createWorld();
    await leave(world, { tty: true });
    for (const [args, ms] of [
      [{}, 10_000],
      [{ chars: "y\n" }, 1_000],
    ] as const) {
      const running = world.call("write_stdin", { session_id: 7, ...args });
      await untilWaiting(world);
      await world.runner.last.say("x");
      world.clock.advance(ms - 1);
      await world.runner.last.say("y");
      expect(world.clock.sleepers).toBe(1);
      world.clock.advance(1);
      expect(outputText(await running)).toContain("\nOutput:\nxy\nGo on");
    }
  });

  test("types at a terminal as it is told", async () => {
    const world = createWorld();
    await leave(world, { tty: true });
    await poll(world, { chars: "print(1)\n" });
    await poll(world, { chars: "\u0003" });
    expect(world.runner.last.typed).toEqual(["print(1)\n", "\u0003"]);
  });

  test("types nothing at what has no terminal, but ends it for ^C", async () => {
    const world = createWorld();
    await leave(world);
    await world.runner.last.say("one\n");
    expect(outputText(await poll(world, { chars: "y\n" }))).toMatch(/^Nothing was typed: session 7 has no terminal/);
    const result = await poll(world, { chars: "\u0003" });
    expect(outputText(result)).toBe("stopped by write_stdin after 1 seconds\nOutput:\none\n");
    expect(world.sessions.list()).toEqual([]);
  });

  test("ends a command that does not end by itself", async () => {
    const world = createWorld();
    await leave(world, { tty: true });
    const result = await poll(world, { kill: true });
    expect(outputText(result)).toBe("stopped by write_stdin after 1 seconds\nOutput:\n");
    expect(withoutToolCalls(result.events)).toEqual([completed("", null, "failed", "The model stopped it.")]);
  });

  test("has what is typed judged as the script that it may be", async () => {
    const gate = createGate((call) =>
      call.type === "command" && call.request.shellScript === "rm -rf ~\n"
        ? { type: "declined", message: "No." }
        : { type: "run", confinement: "policy" },
    );
    const world = createWorld({ gate });
    await leave(world, { tty: true });
    const refused = await poll(world, { chars: "rm -rf ~\n" });
    expect(outputText(refused)).toBe("Nothing was typed: No.");
    expect(refused.events.at(-1)).toMatchObject({ item: { type: "tool_call", status: "declined", reason: "No." } });
    await poll(world, { chars: "ls\n" });
    await poll(world, { chars: "\u0003\r" });
    expect(world.runner.last.typed).toEqual(["ls\n", "\u0003\r"]);
    expect(gate.requests.slice(2)).toEqual([
      {
        argv: ["bash", "-c", "ls\n"],
        shellScript: "ls\n",
        cwd: "/project",
        sandboxPermissions: "use_default",
        justification: "To be typed at session 7: make",
      },
    ]);
  });

  test("at a session outside the sandbox is judged as what would run outside", async () => {
    const gate = createGate(() => ({ type: "run", confinement: "none" }));
    const world = createWorld({ gate });
    await leave(world, { tty: true });
    await poll(world, { chars: "ls\n" });
    expect(gate.requests.at(-1)).toMatchObject({ shellScript: "ls\n", sandboxPermissions: "require_escalated" });
  });

  test("types nothing that may only run with variables set: the session has its own", async () => {
    const gate = createGate(() => ({ type: "run", confinement: "policy", environment: { GIT_PAGER: "cat" } }));
    const world = createWorld({ gate });
    await leave(world, { tty: true });
    expect(outputText(await poll(world, { chars: "git log\n" }))).toMatch(/^Nothing was typed: /);
    expect(world.runner.last.typed).toEqual([]);
  });

  test("is a call that is seen, and judged, also where it only waits", async () => {
    const gate = createGate();
    const world = createWorld({ gate });
    await leave(world);
    const result = await poll(world);
    const { started: begun, ended } = toolCall("write_stdin", { session_id: 7, yield_time_ms: 0 });
    expect(result.events).toEqual([begun, ended({ output: outputText(result), status: "completed" })]);
    expect(gate.calls.at(-1)).toEqual({
      type: "tool",
      tool: "write_stdin",
      arguments: { session_id: 7, chars: "", kill: false, yield_time_ms: 0 },
      approval: "run",
    });
  });

  test("interrupted while it waits leaves the command running", async () => {
    const world = createWorld();
    await leave(world);
    const controller = new AbortController();
    const running = world.call("write_stdin", { session_id: 7 }, { signal: controller.signal });
    await untilWaiting(world);
    controller.abort();
    expect(outputText(await running)).toMatch(/^Still running: session 7\n/);
    expect(world.sessions.list()).toMatchObject([{ id: 7, isRunning: true }]);
  });

  test("without an id lists the sessions", async () => {
    const world = createWorld();
    expect(outputText(await world.call("write_stdin", {}))).toBe("No session is open.");
    await leave(world);
    await leave(world, { cmd: "serve" });
    expect(await world.sessions.kill(8)).toBe(true);
    expect(outputText(await world.call("write_stdin", {}))).toBe(
      "Open sessions:\n7 (running): make\n8 (ended; read its output): serve",
    );
  });
});

describe("background sessions", () => {
  test("that end are told at the next call or at the end of the turn, once", async () => {
    const world = createWorld();
    await leave(world);
    expect(world.runtime.endTurn()).toEqual([]);
    await world.runner.last.say("one\n");
    await world.sessions.kill(7);
    expect(world.runtime.endTurn()).toEqual([completed("one\n", null, "failed", stopped)]);
    expect(world.runtime.endTurn()).toEqual([]);
    const last = await poll(world);
    expect(outputText(last)).toBe("aborted by user after 1 seconds\nOutput:\none\n");
    expect(withoutToolCalls(last.events)).toEqual([]);
  });

  test("can be ended by the program, once", async () => {
    const world = createWorld();
    await leave(world);
    expect(await Promise.all([world.sessions.kill(7), world.sessions.kill(8)])).toEqual([true, false]);
    expect(await world.sessions.kill(7)).toBe(false);
    expect(world.sessions.list()).toMatchObject([{ id: 7, isRunning: false, exitCode: null }]);
  });

  test("make room for new ones when they have ended, the oldest first, and are told all the same", async () => {
    const world = createWorld({ maxSessions: 2 });
    await leave(world);
    await leave(world);
    await world.sessions.kill(8);
    await world.sessions.kill(7);
    const result = await leave(world);
    expect(world.sessions.list()).toMatchObject([{ id: 8 }, { id: 9 }]);
    expect(result.events.map(({ type }) => type)).toEqual(["item.started", "item.completed", "item.completed"]);
  });

  test("that all run keep a new one from being started, and the model is told what to do", async () => {
    const world = createWorld({ maxSessions: 1 });
    await leave(world);
    const result = await leave(world);
    expect(outputText(result)).toMatch(/^The command was not run: too many sessions are open\. write_stdin without/);
    const reason = "Too many commands that the model left running are still at work.";
    expect(result.events).toEqual([started, completed("", null, "failed", reason)]);
    expect(world.sessions.list()).toHaveLength(1);
  });

  test("end with the thread", async () => {
    const world = createWorld();
    await leave(world);
    await leave(world, { tty: true });
    await world.sessions.close();
    expect(world.sessions.list()).toEqual([]);
  });

  test("that two calls wait for show their output once, and both calls end", async () => {
    const world = createWorld();
    await leave(world);
    const calls = ["a", "b"].map((id) => functionCall("write_stdin", { session_id: 7 }, id));
    const { last } = world.runner;
    const running = runCalls(world.runtime, calls);
    while (world.clock.sleepers < 2) await Promise.resolve();
    await last.say("one\n");
    last.exit(exited(""));
    const result = await running;
    expect(result.items).toMatchObject([
      { output: expect.stringMatching(/^Exit code: 0\n/) },
      { output: expect.stringMatching(/^Exit code: 0\n/) },
    ]);
    expect(withoutToolCalls(result.events)).toEqual([delta("one\n"), completed("one\n", 0, "completed")]);
  });
});

describe("long output of a session", () => {
  const lines = Array.from({ length: 400 }, (_none, index) => `line ${index}\n`).join("");

  test("is cut to what the call asks for, and lies whole in one file from the start of the session on", async () => {
    const world = createWorld();
    await leave(world);
    const { last } = world.runner;
    await last.say("first\n");
    await poll(world);
    await last.say(lines);
    const text = outputText(await poll(world, { max_output_tokens: 200 }));
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(800);
    expect(text).toMatch(/\nTotal output lines: 400\nWhole output: \/state\/output-1\.txt\nOutput:\nline 0\n/);
    expect(text).toMatch(/\n\[\.\.\. left out here: \d+ lines, \d+ bytes, about \d+ tokens \.\.\.\]\n/);
    await last.say("last\n");
    await world.sessions.kill(7);
    expect([...world.outputFiles.texts]).toEqual([["/state/output-1.txt", `first\n${lines}last\n`]]);
    expect(world.outputFiles.openPaths.size).toBe(0);
  });

  test("that nobody asked for is bounded, head and tail", async () => {
    const world = createWorld({ outputTokens: 500 });
    await leave(world);
    const { last } = world.runner;
    for (let part = 0; part < 200; part += 1) await last.say(`${part} ${"x".repeat(990)}\n`);
    const text = outputText(await poll(world));
    expect(text).toContain("Total output lines: 200\n");
    expect(text).toContain("\nOutput:\n0 xxx");
    expect(text).toMatch(/\[\.\.\. left out here: 19\d lines/);
    expect(world.outputFiles.texts.get("/state/output-1.txt")).toContain("\n100 xxx");
  });
});
