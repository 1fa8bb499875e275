import type { CommandOutcome } from "@unroll/protocol";

import { describe, expect, test } from "vitest";
import {
  createDenyingGate,
  createGate,
  createInteractiveRunner,
  exited,
  functionCall,
  outputText,
  runCalls,
  withoutToolCalls,
  withFacts,
} from "../fake-ports.ts";

import { createWorld, completed, delta, goOn, leave, poll, started, stopped } from "./session-world.ts";

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
    expect(events).toEqual(withFacts([started, delta("built\n"), completed("built\n", 0, { status: "completed" })]));
    expect(world.backgroundCommands.list()).toEqual([]);
  });

  test("keeps running when its time is over, and the output says how to continue", async () => {
    const world = createWorld();
    const start = world.runner.nextStart();
    const running = world.call("exec_command", { cmd: "make" });
    await (await start).say("half\n");
    world.clock.advance(10_000);
    const result = await running;
    expect(outputText(result)).toBe(`Still running: session 7\nWall time: 10 seconds\nOutput:\nhalf\n${goOn(7)}`);
    expect(result.events).toEqual(
      withFacts([
        started,
        delta("half\n"),
        { type: "item.updated", item: { ...started.item, aggregated_output: "half\n" } },
      ]),
    );
    expect(world.clock.sleepers).toBe(0);
    expect(world.backgroundCommands.list()).toEqual([
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
      itemId: "item_0",
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
    expect(result.events).toEqual(
      withFacts([started, completed("", null, { status: "declined", reason: "No.", duration_ms: 0 })]),
    );
    expect(world.backgroundCommands.list()).toEqual([]);
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
    expect(result.events.at(-1)).toEqual(
      withFacts([completed("half\n", null, { status: "failed", reason: stopped })])[0],
    );
    expect(world.backgroundCommands.list()).toEqual([]);
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
    expect(result.events).toEqual(withFacts([started, completed("", 0, { status: "completed" })]));
  });

  test("fails with the reason if the program does not exist or the runner breaks", async () => {
    const missing: CommandOutcome = { type: "not_started", message: "There is no program make." };
    const world = createWorld({ runner: createInteractiveRunner(({ exit }) => exit(missing)) });
    const result = await world.call("exec_command", { cmd: "make", tty: true });
    expect(outputText(result)).toBe("The command could not be started: There is no program make.");
    const broken = createInteractiveRunner(() => {
      throw new Error("EMFILE");
    });
    const other = await createWorld({ runner: broken }).call("exec_command", { cmd: "make" });
    expect(outputText(other)).toBe("The command could not be started: EMFILE");
    expect(other.events).toEqual(
      withFacts([started, completed("", null, { status: "failed", reason: "EMFILE", duration_ms: 0 })]),
    );
  });
});

describe("background sessions", () => {
  test("that end are reported at the next call or at the end of the turn, once", async () => {
    const world = createWorld();
    await leave(world);
    expect(world.runtime.endTurn()).toEqual([]);
    await world.runner.last.say("one\n");
    await world.backgroundCommands.kill(7);
    const facts = { call_id: "call_1", cwd: "/project", started_at: Date.UTC(2026, 10, 20, 12), duration_ms: 1000 };
    const end = { status: "failed", reason: stopped, ...facts } as const;
    expect(world.runtime.endTurn()).toEqual([completed("one\n", null, end)]);
    expect(world.runtime.endTurn()).toEqual([]);
    const last = await poll(world);
    expect(outputText(last)).toBe("aborted by user after 1 seconds\nOutput:\none\n");
    expect(withoutToolCalls(last.events)).toEqual([]);
  });

  test("can be ended by the program, once", async () => {
    const world = createWorld();
    await leave(world);
    expect(await Promise.all([world.backgroundCommands.kill(7), world.backgroundCommands.kill(8)])).toEqual([
      true,
      false,
    ]);
    expect(await world.backgroundCommands.kill(7)).toBe(false);
    expect(world.backgroundCommands.list()).toMatchObject([{ id: 7, isRunning: false, exitCode: null }]);
  });

  test("that have ended make room for new ones, the oldest first, and are still reported", async () => {
    const world = createWorld({ maxSessions: 2 });
    await leave(world);
    await leave(world);
    await world.backgroundCommands.kill(8);
    await world.backgroundCommands.kill(7);
    const result = await leave(world);
    expect(world.backgroundCommands.list()).toMatchObject([{ id: 8 }, { id: 9 }]);
    expect(result.events.map(({ type }) => type)).toEqual([
      "item.started",
      "item.completed",
      "item.completed",
      "item.updated",
    ]);
  });

  test("that all run keep a new one from being started, and the model gets advice", async () => {
    const world = createWorld({ maxSessions: 1 });
    await leave(world);
    const result = await leave(world);
    expect(outputText(result)).toMatch(/^The command was not run: too many sessions are open\. write_stdin without/);
    const reason = "Too many commands that the model left running are still at work.";
    expect(result.events).toEqual(
      withFacts([started, completed("", null, { status: "failed", reason, duration_ms: 0 })], { callId: "call_2" }),
    );
    expect(world.backgroundCommands.list()).toHaveLength(1);
  });

  test("end with the thread", async () => {
    const world = createWorld();
    await leave(world);
    await leave(world, { tty: true });
    await world.backgroundCommands.close();
    expect(world.backgroundCommands.list()).toEqual([]);
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
    expect(withoutToolCalls(result.events)).toEqual(
      withFacts([delta("one\n"), completed("one\n", 0, { status: "completed" })]),
    );
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
    await world.backgroundCommands.kill(7);
    expect([...world.outputFiles.texts]).toEqual([["/state/output-1.txt", `first\n${lines}last\n`]]);
    expect(world.outputFiles.openPaths.size).toBe(0);
  });

  test("is cut in the item, too, which counts the missing lines", async () => {
    const world = createWorld({ outputTokens: 500 });
    await leave(world);
    await world.runner.last.say(lines);
    world.runner.last.exit(exited(""));
    const { events } = await poll(world);
    const item = events.flatMap((event) =>
      event.type === "item.completed" && event.item.type === "command_execution" ? [event.item] : [],
    )[0];
    const kept = item?.aggregated_output.match(/^line \d+$/gm)?.length ?? 0;
    expect(kept).toBeGreaterThan(100);
    expect(item?.omitted_lines).toBe(400 - kept);
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
