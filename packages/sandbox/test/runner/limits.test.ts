import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readGroupLimits } from "../../src/probe/read-group-limits.ts";
import { createSandboxFixture, landlock, whyNoSandbox } from "../fixture/sandbox.ts";

const none = { maxProcesses: null, maxMemoryMb: null };
const allocate = `perl -e '$x = "x" x (2048 * 1048576); print length $x'`;
const isRoot = userInfo().uid === 0;

describe.skipIf(whyNoSandbox !== null)("a command", () => {
  it("is what the system ends first when memory runs out", async () => {
    await using sandbox = await createSandboxFixture({ settings: { limits: none } });
    const { outcome } = await sandbox.run("cat /proc/self/oom_score_adj");
    expect(outcome).toMatchObject({ output: { text: "1000\n" } });
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
    // What others run counts as if it were the user's, so there is room for somewhat more than 40.
    const fork = `perl -e 'for (1 .. 3000) { defined(my $p = fork) or do { print "full"; last }; $p or do { sleep 60; exit } }'`;
    const { outcome } = await sandbox.run(`ulimit -u unlimited; ${fork}`);
    expect(outcome.type === "exited" && outcome.output.text).toMatch(/full$/);
    expect((await sandbox.run("echo again")).outcome).toMatchObject({ exitCode: 0 });
  });
});

describe("the limits of control groups", () => {
  const read = (files: Readonly<Record<string, string>>) => {
    const root = mkdtempSync(join(tmpdir(), "unroll-groups-"));
    try {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
      return readGroupLimits(root);
    } finally {
      rmSync(root, { recursive: true });
    }
  };

  it("are the smallest on the way up", () => {
    expect(
      read({
        "proc/self/cgroup": "0::/user.slice/run.scope\n",
        "sys/fs/cgroup/user.slice/run.scope/memory.max": "max\n",
        "sys/fs/cgroup/user.slice/run.scope/pids.max": "500\n",
        "sys/fs/cgroup/user.slice/memory.max": "1073741824\n",
        "sys/fs/cgroup/user.slice/pids.max": "4000\n",
      }),
    ).toEqual({ memoryBytes: 2 ** 30, processes: 500 });
  });

  it("are read where each controller has its own tree", () => {
    expect(
      read({
        "proc/self/cgroup": "8:pids:/\n4:memory:/a/b\n1:name=systemd:/\n0::/\n",
        "sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "9223372036854771712\n",
        "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "4096\n",
        "sys/fs/cgroup/pids/pids.max": "max\n",
      }),
    ).toEqual({ memoryBytes: 4096, processes: null });
  });

  it("are unknown where there are none to be seen", () => {
    expect(read({ "proc/self/mounts": "" })).toEqual({ memoryBytes: null, processes: null });
  });
});
