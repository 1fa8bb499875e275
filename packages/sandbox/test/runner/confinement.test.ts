import { randomUUID } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findStateFolder } from "@unroll/sandbox";
import { findProcesses } from "../fixture/processes.ts";
import { bash, createManualTimers, runToEnd } from "../fixture/runner.ts";
import { probed } from "../fixture/probed-sandbox.ts";
import { createSandboxFixture, type SandboxFixture, whyNoSandbox } from "../fixture/sandbox.ts";

const isRoot = userInfo().uid === 0;
/** Not in a container, where root has no right to make one. */
const canNest = probed.type === "bubblewrap" && probed.withoutUserNamespace;
const anyText: unknown = expect.any(String);

describe.skipIf(whyNoSandbox !== null)("a confined command", () => {
  it("writes in the workspace, and gets the policy as the reason elsewhere", async () => {
    await using sandbox = await createSandboxFixture();
    expect((await sandbox.run("echo x > file")).outcome).toMatchObject({ type: "exited", exitCode: 0 });
    const { outcome } = await sandbox.run(`echo x > ${sandbox.outside}/file`);
    expect(outcome).toMatchObject({
      type: "exited",
      exitCode: 1,
      denial: { kind: "filesystem", confidence: "certain", path: join(sandbox.outside, "file"), reason: anyText },
    });
    expect(readdirSync(sandbox.outside)).toEqual([]);
  });

  it("writes nothing in read-only", async () => {
    await using sandbox = await createSandboxFixture({ settings: { mode: "read-only" } });
    const { outcome } = await sandbox.run("echo x > file");
    expect(outcome).toMatchObject({ type: "exited", exitCode: 1, denial: { kind: "filesystem" } });
  });

  it("writes in further roots and temporary folders as the policy says", async () => {
    await using sandbox = await createSandboxFixture({
      setup: "mkdir extra tmp",
      settings: { excludeTmpdirEnvVar: false },
    });
    const extra = join(sandbox.base, "extra");
    const run = async (policy: object) => {
      await using inner = await createSandboxFixture({
        settings: { writableRoots: [extra], ...policy },
        environment: { TMPDIR: join(sandbox.base, "tmp") },
      });
      const { outcome } = await inner.run(`for folder in . ${extra} $TMPDIR; do touch $folder/x && echo yes; done`);
      return outcome.type === "exited" ? outcome.output.text.match(/yes/g)?.length : outcome;
    };
    expect([await run({ excludeTmpdirEnvVar: false }), await run({}), await run({ writableRoots: [] })]).toEqual([
      3, 2, 1,
    ]);
  });

  it("does not make a folder writable by starting in it", async () => {
    await using sandbox = await createSandboxFixture();
    const { outcome } = await runToEnd(sandbox.runner, bash("touch x", { cwd: sandbox.outside }));
    expect(outcome).toMatchObject({ type: "exited", exitCode: 1 });
  });

  it("cannot read what the policy hides", async () => {
    await using sandbox = await createSandboxFixture({
      setup: "mkdir -p home/.ssh; echo s > home/.ssh/key; echo s > home/auth; ln -s auth home/link",
    });
    const home = join(sandbox.base, "home");
    await using hiding = await createSandboxFixture({
      settings: { denyRead: [join(home, ".ssh"), join(home, "link"), join(home, "missing")] },
    });
    const { outcome } = await hiding.run(
      `cat ${home}/auth; ls ${home}/.ssh; cat ${home}/.ssh/key; ls ${home} >&2; exit 1`,
    );
    expect(outcome).toMatchObject({
      type: "exited",
      denial: { kind: "filesystem", confidence: "certain", path: join(home, "auth") },
    });
    expect(outcome.type === "exited" && outcome.output.text.split("\n")).toEqual([
      `cat: ${home}/auth: Permission denied`,
      `ls: cannot open directory '${home}/.ssh': Permission denied`,
      `cat: ${home}/.ssh/key: Permission denied`,
      // The link is hidden by its own name, and nothing leads from it any more.
      "auth",
      "",
    ]);
  });

  it("cannot read what the policy hides by renaming a folder around it", async () => {
    await using sandbox = await createSandboxFixture({ setup: "mkdir -p work/conf/deep; echo s > work/conf/deep/key" });
    const key = join(sandbox.workspace, "conf/deep/key");
    await using hiding = await createSandboxFixture({
      settings: { denyRead: [key], writableRoots: [sandbox.workspace] },
    });
    await hiding.run(`cd ${sandbox.workspace}; mv conf c2; mv conf/deep conf/d2`);
    const { outcome } = await hiding.run(`cd ${sandbox.workspace}; find . -name key; cat */*/key`);
    expect(outcome).toMatchObject({
      exitCode: 1,
      output: { text: "./conf/deep/key\ncat: conf/deep/key: Permission denied\n" },
    });
  });

  it("has no network unless the policy gives it", async () => {
    await using sandbox = await createSandboxFixture();
    expect((await sandbox.run("exec 3<>/dev/tcp/127.0.0.1/9")).outcome).toMatchObject({
      denial: { kind: "network", confidence: "likely" },
    });
    expect((await sandbox.run("ls /sys/class/net")).outcome).toMatchObject({ exitCode: 0 });
    await using open = await createSandboxFixture({ settings: { networkAccess: true } });
    const interfaces = await Promise.all([sandbox, open].map((each) => each.run("grep -c : /proc/net/dev")));
    const [closed, opened] = interfaces.map(({ outcome }) =>
      outcome.type === "exited" ? Number(outcome.output.text) : 0,
    );
    expect(closed).toBe(1);
    expect(opened).toBe(Number(await sandbox.host("grep -c : /proc/net/dev")));
  });

  it("is not started when its program or folder is missing or not executable, and gives the reason", async () => {
    await using sandbox = await createSandboxFixture();
    const missing = await runToEnd(sandbox.runner, { ...bash(""), argv: ["no-such-program"], cwd: sandbox.workspace });
    expect(missing.outcome).toMatchObject({
      type: "not_started",
      message: expect.stringContaining("There is no program no-such-program") as string,
    });
    await sandbox.host("touch file");
    const closed = await runToEnd(sandbox.runner, { ...bash(""), argv: ["./file"], cwd: sandbox.workspace });
    expect(closed.outcome).toMatchObject({
      type: "not_started",
      reason: "not_executable",
      message: expect.stringContaining("./file is not executable") as string,
    });
    const nowhere = await runToEnd(sandbox.runner, bash("true", { cwd: "/proc/no/such/folder" }));
    expect(nowhere.outcome).toEqual({
      type: "not_started",
      message: "The working folder /proc/no/such/folder does not exist.",
    });
  });

  it("is refused where a protected name is a symlink", async () => {
    await using sandbox = await createSandboxFixture({ setup: "mkdir -p work; ln -s /etc work/.codex" });
    expect((await sandbox.run("true")).outcome).toEqual({
      type: "refused",
      message: `The command was not run: ${sandbox.workspace}/.codex is a symlink, which cannot be protected. Replace it by what it points to.`,
    });
  });

  it.each([
    ["a link", "ln -s outside work"],
    ["another folder", "mkdir work"],
  ])("is refused after someone has replaced a writable folder by %s since the thread began", async (_, put) => {
    await using sandbox = await createSandboxFixture();
    await sandbox.host(`cd ..; mv work w; ${put}`);
    expect((await runToEnd(sandbox.runner, bash("touch x", { cwd: sandbox.base }))).outcome).toEqual({
      type: "refused",
      message: `The command was not run: ${sandbox.workspace} is not the folder any more that it was when the thread began: somebody has replaced it. Put that back, or start a new thread.`,
    });
    await sandbox.host("cd ..; rm -d work; mv w work");
    expect((await sandbox.run("touch x")).outcome).toMatchObject({ exitCode: 0 });
    expect(readdirSync(sandbox.outside)).toEqual([]);
  });

  it("does not get a folder that a command before it has made a link of", async () => {
    await using sandbox = await createSandboxFixture({ parentIsWritable: true });
    await using inner = await createSandboxFixture({ settings: { writableRoots: [join(sandbox.workspace, "cache")] } });
    await sandbox.run(`rmdir cache; ln -s ${sandbox.outside} cache`);
    expect((await inner.run("touch x")).outcome).toMatchObject({ type: "refused" });
    await sandbox.runner[Symbol.asyncDispose]();
    expect(readdirSync(sandbox.outside)).toEqual([]);
  });

  it("ends with everything it started: by itself, by time, by abort", async () => {
    const timers = createManualTimers();
    await using sandbox = await createSandboxFixture({ setTimer: timers.setTimer });
    const word = randomUUID();
    const sleeper = `bash -c 'while :; do sleep 0.2; done' ${word}`;
    const hidden = `(env -i /usr/bin/setsid ${sleeper} >/dev/null 2>&1 </dev/null &)`;
    expect((await sandbox.run(`${hidden}; echo done`)).outcome).toMatchObject({
      type: "exited",
      output: { text: "done\n" },
    });
    expect(findProcesses(word)).toEqual([]);
    const timed = await runToEnd(
      sandbox.runner,
      bash(`trap 'echo bye; exit 9' TERM; ${hidden}; echo up; while :; do sleep 0.01; done`, {
        cwd: sandbox.workspace,
      }),
      { onOutput: timers.expire },
    );
    const text: unknown = expect.stringContaining("bye\n");
    expect(timed.outcome).toMatchObject({ type: "timed_out", output: { text } });
    expect(findProcesses(word)).toEqual([]);
    const stop = new AbortController();
    const aborted = await runToEnd(
      sandbox.runner,
      bash(`trap '' TERM; echo up; ${sleeper}`, { cwd: sandbox.workspace }),
      {
        signal: stop.signal,
        onOutput: () => stop.abort(),
      },
    );
    expect(aborted.outcome).toMatchObject({ type: "aborted", output: { text: "up\n" } });
    expect(findProcesses(word)).toEqual([]);
  });

  it("leaves no placeholder behind, and no folder of the user's goes", async () => {
    await using sandbox = await createSandboxFixture({ setup: "mkdir -p work/.agents" });
    expect((await sandbox.run("ls -A")).outcome).toMatchObject({ output: { text: ".agents\n.codex\n.git\n" } });
    await sandbox.runner.rest();
    expect(readdirSync(sandbox.workspace)).toEqual([".agents"]);
    await sandbox.run("true");
    const outside = { ...bash("ls -A", { cwd: sandbox.workspace }), confinement: "none" } as const;
    expect((await runToEnd(sandbox.runner, outside)).outcome).toMatchObject({ output: { text: ".agents\n" } });
    await sandbox.run("true");
    await sandbox.runner[Symbol.asyncDispose]();
    expect(readdirSync(sandbox.workspace)).toEqual([".agents"]);
  });

  it("is kept from a name that somebody outside has set free since the command before it", async () => {
    await using sandbox = await createSandboxFixture();
    await sandbox.run("true");
    await sandbox.host("rmdir .codex || true"); // on a slow machine it is gone by itself
    const { outcome } = await sandbox.run("mkdir -p .codex/x; rmdir .codex; mv .codex y");
    expect(outcome).toMatchObject({ exitCode: 1 });
    await sandbox.runner[Symbol.asyncDispose]();
    expect(readdirSync(sandbox.workspace)).toEqual([]);
  });

  it("changes nothing in a folder that must stay empty, even where it may change its mode", async () => {
    await using sandbox = await createSandboxFixture();
    await sandbox.run("chmod 777 .codex && echo evil > .codex/config.toml; ls -A .codex");
    await sandbox.runner[Symbol.asyncDispose]();
    expect(readdirSync(sandbox.workspace)).toEqual([]);
  });

  it("runs beside many others", async () => {
    await using sandbox = await createSandboxFixture();
    const scripts = Array.from(
      { length: 30 },
      (_, n) => `echo ${n}; mkdir .codex/x 2>/dev/null && echo open; touch f${n}`,
    );
    const runs = await Promise.all(scripts.map((script) => sandbox.run(script)));
    expect(runs.map(({ outcome }) => outcome.type === "exited" && outcome.output.text)).toEqual(
      scripts.map((_, n) => `${n}\n`),
    );
    await sandbox.runner[Symbol.asyncDispose]();
    expect(readdirSync(sandbox.workspace)).toHaveLength(30);
  });

  it("works where home, workspace and state lie in a writable folder", async () => {
    await using sandbox = await createSandboxFixture({ parentIsWritable: true });
    const { outcome } = await sandbox.run("touch ../state/x 2>&1; touch ok && git init -q sub && ls");
    expect(outcome).toMatchObject({
      type: "exited",
      exitCode: 0,
      output: { text: expect.stringContaining("state/x': Permission denied\nok\nsub\n") as string },
    });
  });

  it("keeps the terminal of the harness out of reach", async () => {
    await using sandbox = await createSandboxFixture();
    expect((await sandbox.run("exec 3<>/dev/tty")).outcome).toMatchObject({ type: "exited", exitCode: 1 });
  });
});

describe.skipIf(whyNoSandbox !== null)("the launcher", () => {
  it("is not steered by the command's environment", async () => {
    await using sandbox = await createSandboxFixture({
      environment: { LD_PRELOAD: "/proc/no/such/library.so", LD_LIBRARY_PATH: "/proc/no/such", PERL5OPT: "-Mno_such" },
    });
    const { outcome } = await sandbox.run("echo $LD_PRELOAD");
    expect(outcome).toMatchObject({ type: "exited", exitCode: 0 });
    // The command's own loader complains; bwrap's would have done so outside, once more.
    expect(outcome.type === "exited" && outcome.output.text.match(/cannot be preloaded/g)?.length).toBe(1);
  });

  it("does not show the environment to other users", async () => {
    await using sandbox = await createSandboxFixture({ environment: { UNROLL_TEST_VALUE: "for-nobody" } });
    const run = sandbox.runner.run(bash("echo up; sleep 30", { cwd: sandbox.workspace }), new AbortController().signal);
    await run.next();
    expect(findProcesses("for-nobody")).toEqual([]);
    await run.return({ type: "refused", message: "" });
  });
});

describe.skipIf(whyNoSandbox !== null || !isRoot)("as root", () => {
  it("the kernel's settings are read-only", async () => {
    await using sandbox = await createSandboxFixture();
    const { outcome } = await sandbox.run("echo 60 > /proc/sys/vm/swappiness");
    expect(outcome).toMatchObject({ type: "exited", exitCode: 1, denial: { kind: "filesystem" } });
  });

  it.skipIf(!canNest)("the sandbox also works without a user namespace", async () => {
    await using sandbox = await createSandboxFixture({
      backend: { ...probed, withUserNamespace: false } as typeof probed,
    });
    const { outcome } = await sandbox.run(
      "exec 2>&1; touch ok; touch ../no; grep CapEff /proc/self/status; mount -t tmpfs x . ; ls",
    );
    expect(outcome).toMatchObject({
      output: {
        text: expect.stringMatching(/no': Read-only file system\nCapEff:\t0{16}\nmount: .*\nok\n$/s) as string,
      },
    });
  });

  it.skipIf(!canNest)("a workspace of another user can be written, and nothing else", async () => {
    await using sandbox = await createSandboxFixture({ setup: "mkdir work" });
    chownSync(sandbox.workspace, 1234, 1234);
    const { outcome } = await sandbox.run("exec 2>&1; touch ok && mkdir .codex/x; touch ../no; ls");
    expect(outcome).toMatchObject({
      type: "exited",
      exitCode: 0,
      output: { text: expect.stringMatching(/Read-only.*no': Read-only file system\nok\n$/s) as string },
    });
    await using helpless = await createSandboxFixture({
      setup: "mkdir work",
      backend: { ...probed, withoutUserNamespace: false } as typeof probed,
    });
    chownSync(helpless.workspace, 1234, 1234);
    expect((await helpless.run("true")).outcome).toMatchObject({
      type: "refused",
      message: expect.stringContaining("belongs to another user") as string,
    });
  });
});

describe.skipIf(whyNoSandbox !== null)("placeholders", () => {
  it("are registered where every harness of the user looks, and nobody else", () => {
    const folder = findStateFolder("/proc/no/such/folder");
    expect(findStateFolder("/another")).toBe(folder);
    const { uid, mode } = statSync(folder);
    expect([uid, mode & 0o777]).toEqual([userInfo().uid, 0o700]);
  });

  it("stay while another harness still needs them, and go with the last", async () => {
    await using sandbox = await createSandboxFixture();
    const state = join(sandbox.base, "state");
    await using neighbour = await createSandboxFixture({
      settings: { writableRoots: [sandbox.workspace] },
      stateFolder: state,
    });
    const long = neighbour.runner.run(
      bash("echo up; sleep 30; true", { cwd: sandbox.workspace }),
      new AbortController().signal,
    );
    await long.next();
    await sandbox.run("true");
    expect(existsSync(join(sandbox.workspace, ".git"))).toBe(true);
    await long.return({ type: "refused", message: "" });
    await sandbox.run("true");
    await neighbour.runner[Symbol.asyncDispose]();
    await sandbox.runner[Symbol.asyncDispose]();
    expect(readdirSync(sandbox.workspace)).toEqual([]);
  });

  it("of a veiled folder stay for a harness that came while another had made them", async () => {
    await using sandbox = await createSandboxFixture({ settings: { denyRead: ["keys/auth.json"] } });
    const keys = join(sandbox.base, "keys");
    await using neighbour = await createSandboxFixture({
      settings: { denyRead: [join(keys, "auth.json")] },
      stateFolder: join(sandbox.base, "state"),
    });
    const long = ({ runner, workspace: cwd }: SandboxFixture): ReturnType<typeof runner.run> =>
      runner.run(bash("echo up; sleep 30; true", { cwd }), new AbortController().signal);
    const [first, second] = [long(neighbour), long(sandbox)];
    await first.next();
    await second.next();
    await first.return({ type: "refused", message: "" });
    await neighbour.runner[Symbol.asyncDispose]();
    expect(existsSync(keys)).toBe(true);
    await second.return({ type: "refused", message: "" });
    await sandbox.runner[Symbol.asyncDispose]();
    expect(existsSync(keys)).toBe(false);
  });

  it("of a harness that was killed go with those of the next one", async () => {
    await using sandbox = await createSandboxFixture();
    mkdirSync(join(sandbox.base, "state"));
    const codex = join(sandbox.workspace, ".codex");
    mkdirSync(codex);
    await sandbox.host(`echo '{"owner":"1:1","using":["${codex}"],"created":["${codex}"]}' > ../state/dead.json`);
    await sandbox.run("true");
    await sandbox.runner[Symbol.asyncDispose]();
    expect(readdirSync(sandbox.workspace)).toEqual([]);
  });
});
