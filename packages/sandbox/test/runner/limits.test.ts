import { userInfo } from "node:os";
import { drain } from "@unroll/flow";
import { describe, expect, it } from "vitest";
import { bash } from "../fixture/runner.ts";
import { createSandboxFixture, landlock, whyNoSandbox } from "../fixture/sandbox.ts";

const none = { maxProcesses: null, maxMemoryMb: null, maxTotalMemoryMb: null };
const allocate = `perl -e '$x = "x" x (2048 * 1048576); print length $x'`;
const isRoot = userInfo().uid === 0;

describe.skipIf(whyNoSandbox !== null)("a command", () => {
  it("is what the system ends first when memory runs out", async () => {
    await using sandbox = await createSandboxFixture({ settings: { limits: none } });
    const { outcome } = await sandbox.run("cat /proc/self/oom_score_adj");
    expect(outcome).toMatchObject({ output: { text: "1000\n" } });
    const spec = bash("cat /proc/self/oom_score_adj", { cwd: sandbox.workspace });
    const terminal = { columns: 80, rows: 24 };
    const start = await sandbox.runner.startBackgroundCommand({ ...spec, terminal }, new AbortController().signal);
    const inTerminal = start.type === "opened" ? await drain(start.session.output) : start;
    expect(inTerminal).toMatchObject({ output: { text: "1000\r\n" } });
  });

  it.each([{ settings: {} }, { settings: { allowWeaker: true }, backend: landlock }])(
    "takes no more memory than it may",
    async ({ settings, ...options }) => {
      const limits = { ...none, maxMemoryMb: 1024 };
      await using held = await createSandboxFixture({ ...options, settings: { ...settings, limits } });
      expect((await held.run(`ulimit -d unlimited; ${allocate}`)).outcome).toMatchObject({
        type: "exited",
        exitCode: 12,
        output: { text: expect.stringContaining("Out of memory") as string },
      });
      // Address space alone is not held against it: that would be the end of node and of Java.
      expect((await held.run(`${process.execPath} -e 'console.log(1)'`)).outcome).toMatchObject({ exitCode: 0 });
      await using free = await createSandboxFixture({ ...options, settings: { ...settings, limits: none } });
      expect((await free.run("ulimit -d")).outcome).toMatchObject({ output: { text: "unlimited\n" } });
    },
  );

  it.skipIf(isRoot)("starts no more processes than it may", async () => {
    await using sandbox = await createSandboxFixture({ settings: { limits: { ...none, maxProcesses: 40 } } });
    // Processes of others count as if they were the user's, so there is room for slightly more than
    // 40.
    const fork = `perl -e 'for (1 .. 3000) { defined(my $p = fork) or do { print "full"; last }; $p or do { sleep 60; exit } }'`;
    const { outcome } = await sandbox.run(`ulimit -u unlimited; ${fork}`);
    expect(outcome.type === "exited" && outcome.output.text).toMatch(/^full$/m);
    expect((await sandbox.run("echo again")).outcome).toMatchObject({ exitCode: 0 });
  });
});
