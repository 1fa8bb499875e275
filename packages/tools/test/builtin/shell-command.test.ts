import type { CommandOutcome, CommandOutput } from "@unroll/protocol";
import { type CallGate, type CommandRunner, createShellCommandTool, createShellTool } from "@unroll/tools";
import { describe, expect, test } from "vitest";
import {
  captured,
  createDenyingGate,
  createFakeRunner,
  createGate,
  createPorts,
  createRuntime,
  exited,
  type FakeRunner,
  functionCall,
  outputText,
  runCalls,
  type RunResult,
  withFacts,
} from "../fake-ports.ts";

const cwd = "/project";
const started = (command: string) => ({
  type: "item.started",
  item: {
    id: "item_0",
    type: "command_execution",
    command,
    aggregated_output: "",
    exit_code: null,
    status: "in_progress",
  },
});

/** A thread with a shell. */
function createShell(runner: CommandRunner, gate: CallGate = createGate()) {
  return createRuntime([createShellCommandTool({ ...createPorts(), runner })], { gate });
}

async function run(outcome: CommandOutcome, args: object = {}): Promise<RunResult & { readonly runner: FakeRunner }> {
  const runner = createFakeRunner(outcome);
  const runtime = createShell(runner);
  return { ...(await runCalls(runtime, [functionCall("shell_command", { command: "ls", ...args })])), runner };
}

describe("a command that ran", () => {
  test("tells the model exit code, time and output, and the thread each step", async () => {
    const { items, events } = await run(exited("a\nb\n"));
    const item = { id: "item_0", type: "command_execution", command: "ls" };
    expect(items).toEqual([
      {
        type: "function_call_output",
        call_id: "call_1",
        output: "Exit code: 0\nWall time: 1.2 seconds\nOutput:\na\nb\n",
      },
    ]);
    expect(events).toEqual(
      withFacts([
        { type: "item.started", item: { ...item, aggregated_output: "", exit_code: null, status: "in_progress" } },
        { type: "item.delta", item_id: "item_0", kind: "command_output", delta: "a\nb\n" },
        { type: "item.completed", item: { ...item, aggregated_output: "a\nb\n", exit_code: 0, status: "completed" } },
      ]),
    );
  });

  test("is run by the user's shell, in the working folder, with the default limits", async () => {
    const { runner } = await run(exited(""));
    expect(runner.specs).toEqual([
      {
        argv: ["bash", "-lc", "ls"],
        cwd,
        timeoutMs: 120_000,
        maxOutputBytes: 160_000,
        confinement: "policy",
        itemId: "item_0",
      },
    ]);
  });

  test("takes its folder, time and login from the call", async () => {
    const { runner } = await run(exited(""), { login: false, workdir: "../other/./src", timeout_ms: 50 });
    expect(runner.specs).toMatchObject([{ argv: ["bash", "-c", "ls"], cwd: "/other/src", timeoutMs: 50 }]);
    expect((await run(exited(""), { workdir: "/etc" })).runner.specs).toMatchObject([{ cwd: "/etc" }]);
  });

  test("failed, with its exit code", async () => {
    const result = await run(exited("no\n", 2));
    expect(outputText(result)).toBe("Exit code: 2\nWall time: 1.2 seconds\nOutput:\nno\n");
    expect(result.events.at(-1)).toMatchObject({ item: { exit_code: 2, status: "failed" } });
  });

  test("too long gets exit code 124", async () => {
    const result = await run({ type: "timed_out", durationMs: 50, output: captured("one\n") }, { timeout_ms: 50 });
    expect(outputText(result)).toBe(
      "Exit code: 124\nWall time: 0.1 seconds\nOutput:\ncommand timed out after 50 milliseconds\none\n",
    );
    expect(result.events.at(-1)).toMatchObject({
      item: { exit_code: null, status: "failed", reason: "It ran longer than 0.05 s and was stopped." },
    });
  });

  test("until the user stopped it keeps what it wrote", async () => {
    const result = await run({ type: "aborted", durationMs: 3_210, output: captured("one\n") });
    expect(outputText(result)).toBe("aborted by user after 3.2 seconds\nOutput:\none\n");
    expect(result.events.at(-1)).toMatchObject({
      item: {
        exit_code: null,
        status: "failed",
        aggregated_output: "one\n",
        reason: "Stopped after 3.2 s.",
      },
    });
  });

  test("into the sandbox's wall says that it was policy, which one, and how to ask", async () => {
    const denial = {
      kind: "network",
      confidence: "likely",
      reason: "The network is off and the host could not be resolved.",
    } as const;
    const result = await run({ ...exited("curl: (6)", 6), denial } as CommandOutcome);
    expect(outputText(result)).toBe(
      [
        "Exit code: 6",
        "Wall time: 1.2 seconds",
        "Output:",
        "curl: (6)",
        'The sandbox policy may be the cause (network): The network is off and the host could not be resolved. If the task needs it and somebody can approve (see the permissions message), call again with sandbox_permissions "require_escalated" and a justification. Where nobody can, go another way, or say in the end what was needed.',
      ].join("\n"),
    );
  });
});

describe("a command that did not run", () => {
  test("because it could not be started", async () => {
    const result = await run({ type: "not_started", message: "there is no folder /nope." });
    expect(outputText(result)).toBe("The command could not be started: there is no folder /nope.");
    expect(result.events.at(-1)).toMatchObject({
      type: "item.completed",
      item: { exit_code: null, status: "failed", reason: "there is no folder /nope." },
    });
  });

  test("because there is no sandbox for it", async () => {
    const result = await run({ type: "refused", message: "No sandbox here." });
    expect(outputText(result)).toMatch(
      /^No sandbox here\. If the task needs it and somebody can approve \(see the permissions message\), call again with sandbox_permissions/,
    );
    expect(result.events.at(-1)).toMatchObject({ item: { status: "declined", reason: "No sandbox here." } });
  });

  test("because it was declined", async () => {
    const runner = createFakeRunner(exited(""));
    const reason = "the rule `rm` forbids it. Move the files instead.";
    const runtime = createShell(runner, createDenyingGate(reason));
    const { items, events } = await runCalls(runtime, [functionCall("shell_command", { command: "rm -r x" })]);
    const output = `The command was not run: ${reason}`;
    expect(items).toEqual([{ type: "function_call_output", call_id: "call_1", output }]);
    expect(events).toEqual(
      withFacts([
        started("rm -r x"),
        { type: "item.completed", item: { ...started("rm -r x").item, status: "declined", reason } },
      ]),
    );
    expect(runner.specs).toEqual([]);
  });

  test("because the runner broke, still closes its item", async () => {
    const runner: CommandRunner = {
      // oxlint-disable-next-line require-yield -- it has no output
      async *run(): AsyncGenerator<CommandOutput, CommandOutcome> {
        throw new Error("EMFILE");
      },
    };
    const { events } = await runCalls(createShell(runner), [functionCall("shell_command", { command: "ls" })]);
    const reason = "The tool shell_command failed: EMFILE";
    expect(events).toEqual(
      withFacts([started("ls"), { type: "item.completed", item: { ...started("ls").item, status: "failed", reason } }]),
    );
  });
});

describe("approval", () => {
  test("is asked with all that the model said", async () => {
    const gate = createGate();
    const runtime = createShell(createFakeRunner(exited("")), gate);
    const args = { command: "make", sandbox_permissions: "require_escalated", justification: "It needs the network." };
    await runCalls(runtime, [functionCall("shell_command", args)]);
    expect(gate.requests).toEqual([
      {
        argv: ["bash", "-lc", "make"],
        shellScript: "make",
        cwd,
        sandboxPermissions: "require_escalated",
        justification: "It needs the network.",
      },
    ]);
  });

  test("can take the sandbox away, and set variables", async () => {
    const runner = createFakeRunner(exited(""));
    const gate = createGate(() => ({ type: "run", confinement: "none", environment: { GIT_PAGER: "cat" } }));
    await runCalls(createShell(runner, gate), [functionCall("shell_command", { command: "ls" })]);
    expect(runner.specs).toMatchObject([{ confinement: "none", environment: { GIT_PAGER: "cat" } }]);
  });
});

test("a script with a NUL character is sent back, and nothing runs", async () => {
  const runner = createFakeRunner(exited(""));
  const result = await runCalls(createShell(runner), [functionCall("shell_command", { command: "a\0b" })]);
  expect(outputText(result)).toContain("command: holds a NUL character");
  expect(runner.specs).toEqual([]);
});

test("a model that looks for apply_patch in the shell gets a hint about the tool", async () => {
  const { items } = await run(exited("bash: line 1: apply_patch: command not found\n", 127));
  expect(JSON.stringify(items)).toContain("There is no program of that name.");
});

describe("a command that the sandbox stopped", () => {
  const denial = { kind: "filesystem", confidence: "likely", reason: "Writing there is not allowed." } as const;
  const stopped: CommandOutcome = {
    type: "exited",
    exitCode: 1,
    signal: null,
    durationMs: 1,
    output: captured(""),
    denial,
  };

  test("runs again outside where the gate lets it, and is shown once", async () => {
    const runner = createFakeRunner(stopped);
    const gate = createGate((call) => ({
      type: "run",
      confinement: call.type === "command" && call.denial !== null ? "none" : "policy",
    }));
    const { events } = await runCalls(createShell(runner, gate), [functionCall("shell_command", { command: "ls" })]);
    expect(gate.calls).toMatchObject([{ denial: null }, { denial }]);
    expect(runner.specs).toMatchObject([{ confinement: "policy" }, { confinement: "none" }]);
    expect(events.map((event) => event.type)).toEqual(["item.started", "item.completed"]);
  });

  test.for([
    ["where the gate asks nobody", "", /say in the end what was needed\.$/, denial.reason],
    [
      "where a person says no, and the model reads what they said",
      "The user said no, and: Use /tmp.",
      /\nIt was not run again outside the sandbox\. The user said no, and: Use \/tmp\.$/,
      `${denial.reason} The user said no, and: Use /tmp.`,
    ],
  ] as const)("stays stopped %s", async ([, message, output, reason]) => {
    const runner = createFakeRunner(stopped);
    const gate = createGate((call) =>
      call.type === "command" && call.denial !== null
        ? { type: "declined", message }
        : { type: "run", confinement: "policy" },
    );
    const result = await runCalls(createShell(runner, gate), [functionCall("shell_command", { command: "ls" })]);
    expect(runner.specs).toHaveLength(1);
    expect(outputText(result)).toMatch(output);
    expect(result.events.at(-1)).toMatchObject({ item: { exit_code: 1, status: "failed", reason } });
  });
});

describe("shell", () => {
  test("runs an argument list, and shows it as a shell would take it", async () => {
    const runner = createFakeRunner(exited(""));
    const tool = createShellTool({ ...createPorts(), runner });
    const command = ["grep", "-n", "it's", "a b", ""];
    const { events } = await runCalls(createRuntime([tool]), [functionCall("shell", { command })]);
    expect(runner.specs).toMatchObject([{ argv: command, cwd }]);
    expect(events[0]).toMatchObject({ item: { command: `grep -n 'it'\\''s' 'a b' ''` } });
  });
});

describe("side by side", () => {
  /** Ends a command only when as many as `wanted` run at once. */
  function createMeetingRunner(wanted: number): CommandRunner {
    let running = 0;
    const all = Promise.withResolvers<void>();
    return {
      // oxlint-disable-next-line require-yield -- it has no output
      async *run(): AsyncGenerator<CommandOutput, CommandOutcome> {
        if ((running += 1) === wanted) all.resolve();
        await all.promise;
        running -= 1;
        return exited("");
      },
    };
  }
  const calls = ["cat a", "cat b"].map((command) => functionCall("shell_command", { command }, command));

  test("run those that only read", async () => {
    const isReadOnlyCommand = ({ shellScript = "" }: { readonly shellScript?: string }) =>
      shellScript.startsWith("cat");
    const options = { ...createPorts(), isReadOnlyCommand, runner: createMeetingRunner(2) };
    const runtime = createRuntime([createShellCommandTool(options)]);
    expect((await runCalls(runtime, calls)).items).toHaveLength(2);
  });

  test("runs nothing unless told what only reads", async () => {
    const { events } = await runCalls(createShell(createMeetingRunner(1)), calls);
    expect(events.map(({ type }) => type)).toEqual([
      "item.started",
      "item.completed",
      "item.started",
      "item.completed",
    ]);
  });
});
