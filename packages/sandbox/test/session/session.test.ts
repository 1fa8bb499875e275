import { afterAll, describe, expect, it } from "vitest";
import type { CommandOutcome } from "@unroll/protocol";
import type { BackgroundCommand } from "@unroll/protocol";
import { bash, createTestRunner } from "../fixture/runner.ts";
import { createSandboxFixture, whyNoSandbox } from "../fixture/sandbox.ts";

const runner = createTestRunner();
afterAll(() => runner[Symbol.asyncDispose]());
const size = { columns: 80, rows: 24 };
const shell = { ...bash(""), argv: ["bash", "--norc", "--noprofile", "-i"] };

/** Reads a session and lets the test wait for what it says. */
function follow(session: BackgroundCommand) {
  let text = "";
  let wake = Promise.withResolvers<void>();
  const ended = (async (): Promise<CommandOutcome> => {
    for (;;) {
      const next = await session.output.next();
      if (next.done === true) return next.value;
      text += next.value.text;
      wake.resolve();
      wake = Promise.withResolvers();
    }
  })();
  return {
    ended,
    /** Resolves when the output holds `part`, and forgets everything up to it. */
    until: async (part: string): Promise<void> => {
      while (!text.includes(part)) {
        const outcome = await Promise.race([wake.promise, ended]);
        if (outcome !== undefined) throw new Error(`ended without ${part}: ${JSON.stringify(outcome)}`);
      }
      text = text.slice(text.indexOf(part) + part.length);
    },
  };
}

async function open(
  spec: Parameters<typeof runner.startBackgroundCommand>[0],
  signal = new AbortController().signal,
  from = runner,
) {
  const start = await from.startBackgroundCommand(spec, signal);
  if (start.type !== "opened") throw new Error(start.message);
  return { session: start.session, ...follow(start.session) };
}

describe("a session", () => {
  it("is written to through a pipe", async () => {
    const { session, until, ended } = await open(
      bash("while read -r line; do echo got $line; [ $line = end ] && exit 4; done"),
    );
    session.write("one\n");
    await until("got one\n");
    session.write("end\n");
    expect(await ended).toMatchObject({ type: "exited", exitCode: 4, output: { text: "got one\ngot end\n" } });
  });

  it("ends when it is aborted", async () => {
    const stop = new AbortController();
    const { until, ended } = await open(bash("echo up; sleep 60"), stop.signal);
    await until("up\n");
    stop.abort();
    expect(await ended).toMatchObject({ type: "aborted" });
  });

  it("says when its program is missing", async () => {
    expect(
      await runner.startBackgroundCommand({ ...bash(""), argv: ["no-such-program"] }, new AbortController().signal),
    ).toEqual({
      type: "not_started",
      message: expect.stringMatching(/^There is no program no-such-program/) as string,
    });
  });
});

describe("a session with a terminal", () => {
  const openShell = (from = runner) => open({ ...shell, terminal: size }, undefined, from);

  async function tryTerminal(shell: Awaited<ReturnType<typeof openShell>>): Promise<CommandOutcome> {
    const { session, until, ended } = shell;
    session.write("PS1='pro''mpt> '\r");
    await until("prompt> ");
    session.write("stty size; [ -t 0 ] && echo term''inal\r");
    await until("24 80\r\n");
    await until("terminal\r\n");
    await until("prompt> ");
    session.resize({ columns: 100, rows: 30 });
    session.write(`stty size; sh -c "echo re''ady; exec sleep 60"; echo went on\r`);
    await until("30 100\r\n");
    await until("ready\r\n");
    session.write("\x03");
    await until("prompt> ");
    session.write("echo af''ter; exit 5\r");
    await until("after\r\n");
    return ended;
  }

  it("has a size, job control and ^C", async () => {
    expect(await tryTerminal(await openShell())).toMatchObject({ type: "exited", exitCode: 5 });
  });

  it.skipIf(whyNoSandbox !== null)("has them inside the sandbox too", async () => {
    await using sandbox = await createSandboxFixture();
    expect(await tryTerminal(await openShell(sandbox.runner))).toMatchObject({ type: "exited", exitCode: 5 });
  });

  it("writes everything it has to say before it ends", async () => {
    const { ended } = await open({ ...bash("seq 2000"), terminal: size });
    const outcome = await ended;
    expect(outcome.type === "exited" && outcome.output.text.replaceAll("\r", "")).toMatch(/^1\n2\n[^]*\n2000\n$/);
  });

  it("ends when it is aborted, and nothing of it survives", async () => {
    const stop = new AbortController();
    const { until, ended } = await open(
      { ...bash("trap '' TERM HUP; echo up; sleep 60; sleep 60"), terminal: size },
      stop.signal,
    );
    await until("up\r\n");
    stop.abort();
    expect(await ended).toMatchObject({ type: "aborted" });
  });
});

it("an attached command has the harness's own streams", async () => {
  expect(
    await runner.runAttached({ ...bash(""), argv: ["sh", "-c", "exit 7"] }, new AbortController().signal),
  ).toMatchObject({
    type: "exited",
    exitCode: 7,
    output: { text: "" },
  });
});

describe.skipIf(whyNoSandbox !== null)("an attached command in the sandbox", () => {
  const { signal } = new AbortController();

  it("has what was put aside told in its outcome", async () => {
    await using sandbox = await createSandboxFixture();
    const script = bash("git init -q sub; git -C sub config core.pager evil", { cwd: sandbox.workspace });
    const config = `${sandbox.workspace}/sub/.git/config`;
    expect(await sandbox.runner.runAttached(script, signal)).toMatchObject({
      type: "exited",
      exitCode: 0,
      output: {
        text: `unroll: ${config} was put aside as ${config}.quarantined: a later git outside the sandbox would obey core.pager.\n`,
      },
    });
  });

  const closed = { reason: "not_executable" } as const;
  it.each([
    ["unroll-no-such-program", { message: "There is no program unroll-no-such-program, or it cannot be executed." }],
    ["/etc", { message: "/etc is not executable.", ...closed }],
    ["./file", { message: "./file is not executable.", ...closed }],
  ])("is not started when there is no program %s", async (name, expected) => {
    await using sandbox = await createSandboxFixture({ setup: "mkdir work; echo > work/file" });
    const spec = { ...bash("", { cwd: sandbox.workspace }), argv: [name] };
    expect(await sandbox.runner.runAttached(spec, signal)).toEqual({ type: "not_started", ...expected });
  });

  it("is not started in a folder that does not exist", async () => {
    await using sandbox = await createSandboxFixture();
    const cwd = `${sandbox.workspace}/missing`;
    expect(await sandbox.runner.runAttached(bash("true", { cwd }), signal)).toEqual({
      type: "not_started",
      message: `The working folder ${cwd} does not exist.`,
    });
  });
});
