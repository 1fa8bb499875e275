import { describe, expect, test } from "vitest";
import { createGate, exited, outputText, toolCall, withoutToolCalls, withFacts } from "../fake-ports.ts";

import { createWorld, completed, delta, leave, poll, untilWaiting } from "./session-world.ts";

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
    expect(withoutToolCalls(last.events)).toEqual(
      withFacts([delta("two\n"), completed("one\ntwo\n", 3, { status: "failed" })]),
    );
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

  test("types the model's characters at a terminal", async () => {
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
    expect(world.backgroundCommands.list()).toEqual([]);
  });

  test("ends a command that does not end by itself", async () => {
    const world = createWorld();
    await leave(world, { tty: true });
    const result = await poll(world, { kill: true });
    expect(outputText(result)).toBe("stopped by write_stdin after 1 seconds\nOutput:\n");
    expect(withoutToolCalls(result.events)).toEqual(
      withFacts([completed("", null, { status: "failed", reason: "The model stopped it." })]),
    );
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

  test("has a line that is typed in pieces judged whole, and from each piece on", async () => {
    const gate = createGate();
    const world = createWorld({ gate });
    await leave(world, { tty: true });
    for (const chars of ["q", "git pu", "sh\r", "ls"]) await poll(world, { chars });
    expect(world.runner.last.typed).toEqual(["q", "git pu", "sh\r", "ls"]);
    expect(gate.requests.slice(1).map(({ argv, shellScript }) => [shellScript, argv[2]])).toEqual([
      ["q", "q"],
      ["qgit pu", "bash -c '\nqgit pu'\nbash -c '\ngit pu'"],
      ["qgit push\n", "bash -c '\nqgit push\n'\nbash -c '\ngit push\n'\nbash -c '\nsh\n'"],
      ["ls", "ls"],
    ]);
  });

  test.for([
    ["signals and Enter on an empty line", ["\u0003", "\u0004", "\u001A", "\u001C", "\n", "\r", " ", "\u0003\r"], []],
    ["^C and ^Z on any line", ["x", "\u001A", "\u0003", "\n"], ["x"]],
    ["Enter where something stands on the line", ["x", "\u001A", "\n", "\n"], ["x", "x\n"]],
    ["^D where something stands on the line", ["x", "\u0004"], ["x", "x\u0004"]],
    ["keys that are no signals", ["\t", "\u0003", "\u0010", "\n"], ["\t", "\u0010", "\u0010\n"]],
    ["^D behind an Enter", ["x\n\u0004", "\n"], ["x\n"]],
  ] as const)("asks for leave as it has to: %s", async ([, typed, judged]) => {
    const gate = createGate();
    const world = createWorld({ gate });
    await leave(world, { tty: true });
    for (const chars of typed) await poll(world, { chars });
    expect(gate.requests.slice(1).map(({ shellScript }) => shellScript)).toEqual(judged);
  });

  test("at a session that reaches more than a command of now is judged as what would run outside", async () => {
    let reachesMore = false;
    const gate = createGate();
    const world = createWorld({ gate, noteWalls: () => () => reachesMore });
    await leave(world, { tty: true });
    await poll(world, { chars: "ls\n" });
    reachesMore = true;
    await poll(world, { chars: "ls\n" });
    await poll(world, { chars: "\u0003" });
    expect(gate.requests.slice(1)).toMatchObject([
      { sandboxPermissions: "use_default", justification: "To be typed at session 7: make" },
      {
        sandboxPermissions: "require_escalated",
        justification: "To be typed at session 7, which runs outside the walls that hold now: make",
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
    expect(result.events).toEqual(
      withFacts([begun, ended({ output: outputText(result), status: "completed" })], { callId: "call_2" }),
    );
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
    expect(world.backgroundCommands.list()).toMatchObject([{ id: 7, isRunning: true }]);
  });

  test("without an id lists the sessions", async () => {
    const world = createWorld();
    expect(outputText(await world.call("write_stdin", {}))).toBe("No session is open.");
    await leave(world);
    await leave(world, { cmd: "serve" });
    expect(await world.backgroundCommands.kill(8)).toBe(true);
    expect(outputText(await world.call("write_stdin", {}))).toBe(
      "Open sessions:\n7 (running): make\n8 (ended; read its output): serve",
    );
  });
});
