import { toCommandFile } from "@unroll/process-tree";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { drain } from "@unroll/flow";
import { explainSandbox } from "@unroll/sandbox";
import { describe, expect, it } from "vitest";
import { findGroups, whyNoGroup } from "../fixture/groups.ts";
import { waitUntil } from "../fixture/processes.ts";
import { bash, runToEnd } from "../fixture/runner.ts";
import { createSandboxFixture, type SandboxFixture, whyNoSandbox } from "../fixture/sandbox.ts";

const limits = { maxProcesses: 60, maxMemoryMb: null, maxTotalMemoryMb: 256 };
const hog = `perl -e '$x = "x" x (1024 * 1048576); print length $x'`;
/** Ends with all that it started where it may start no more. */
const fork = `perl -e 'for (1 .. 3000) { defined(my $p = fork()) or do { print "full\\n"; last }; $p or do { sleep 60; exit } }'`;
const aMemoryReason = `memory ran out, so the system ended a process of this command, or of one beside it: all commands of this thread together may have 256 MiB (sandbox.max_total_memory_mb), with the files that they keep in memory, such as those in /dev/shm. Do it in smaller parts.`;
const aProcessReason = `a process of this command, or of one beside it, could not be started: all commands of this thread together may have 60 processes and threads (sandbox.max_processes). Start fewer at a time, or end what is not needed.`;

const harness = fileURLToPath(new URL("../fixture/harness-to-kill.ts", import.meta.url));
const { signal } = new AbortController();

const open = (): Promise<SandboxFixture> => createSandboxFixture({ settings: { limits } });

describe.skipIf(whyNoSandbox !== null || whyNoGroup !== null)("commands in a control group", () => {
  it("end alone when they take too much memory or too many processes, with the reason", async () => {
    await using sandbox = await open();
    const beside = sandbox.run("until [ -e go ]; do sleep 0.05; done");
    expect((await sandbox.run(hog)).outcome).toMatchObject({
      type: "exited",
      exitCode: 137,
      output: { text: `unroll: ${aMemoryReason}\n` },
    });
    expect((await sandbox.run(`${fork}; exit 3`)).outcome).toMatchObject({
      type: "exited",
      exitCode: 3,
      output: { text: `full\nunroll: ${aProcessReason}\n` },
    });
    writeFileSync(join(sandbox.workspace, "go"), "");
    expect((await beside).outcome).toMatchObject({ type: "exited", exitCode: 0 });
    expect((await sandbox.run("echo again")).outcome).toMatchObject({ exitCode: 0, output: { text: "again\n" } });
  });

  it("get the reason at once when others have taken all the processes", async () => {
    await using sandbox = await open();
    const full = sandbox.runner.run(bash(`${fork.replace("last", "$| = 1; print q(.); sleep 60")}`), signal);
    await full.next();
    expect((await sandbox.run("true")).outcome).toEqual({
      type: "not_started",
      message: `The command was not run: ${aProcessReason}`,
    });
    await full.return({ type: "refused", message: "" });
    expect((await sandbox.run("true")).outcome).toMatchObject({ exitCode: 0 });
  });

  it("are in it no matter who starts them, and outside of the sandbox, too; it ends with the runner", async () => {
    const sandbox = await open();
    const where = bash("grep -c unroll- /proc/self/cgroup", { confinement: "none" });
    const inOne = (await runToEnd(sandbox.runner, where)).outcome;
    const session = await sandbox.runner.startBackgroundCommand(
      { ...where, terminal: { columns: 80, rows: 24 } },
      signal,
    );
    const inTerminal = session.type === "opened" ? await drain(session.session.output) : session;
    const count = "output" in inOne ? inOne.output.text.trim() : "0";
    expect(Number(count)).toBeGreaterThan(0);
    expect(inTerminal).toMatchObject({ type: "exited", output: { text: `${count}\r\n` } });
    const missing = { ...where, argv: ["there-is-no-such-program"] };
    expect((await runToEnd(sandbox.runner, missing)).outcome).toMatchObject({ type: "not_started" });
    const groups = findGroups(process.pid);
    expect(groups).toHaveLength(Number(count));
    // As in a container that runs outside of the sandbox.
    for (const group of groups) mkdirSync(join(group, "inner", "inmost"), { recursive: true });
    const left = spawn("/bin/sh", [
      "-c",
      `for d in "$@"; do echo 0 >"$d/inner/inmost/cgroup.procs"; done; exec sleep 60`,
      "sh",
      ...groups,
    ]);
    const ended = once(left, "exit");
    await waitUntil(() =>
      groups.every((group) => readFileSync(join(group, "inner/inmost/cgroup.procs"), "utf8") !== ""),
    );
    await sandbox[Symbol.asyncDispose]();
    expect(findGroups(process.pid)).toEqual([]);
    expect(await ended).toEqual([null, "SIGKILL"]);
  });

  it("are gone with it when the harness is killed, though nothing more could be started in it", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-killed-"));
    const child = spawn(process.execPath, ["-C", "@unroll/source", harness, `${fork}; sleep 60`, "confined"], {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, TMPDIR: folder.path },
    });
    await once(child.stdout, "data");
    const groups = findGroups(child.pid ?? 0);
    expect(groups).not.toEqual([]);
    for (const group of groups) mkdirSync(join(group, "inner"));
    child.kill("SIGKILL");
    await once(child, "exit");
    await waitUntil(() => findGroups(child.pid ?? 0).length === 0);
  });

  it("are explained as they are", async () => {
    await using sandbox = await open();
    const { policy, environment, workspace: cwd } = sandbox;
    const backend = {
      type: "bubblewrap",
      file: toCommandFile("/usr/bin/bwrap"),
      architecture: "x64",
      isRoot: false,
    } as const;
    const ways = { hasFreeProcesses: true, withUserNamespace: true, withoutUserNamespace: false, hasOwnProc: true };
    const createId = () => "explained";
    const told = await explainSandbox({ policy, environment, cwd, createId, backend: { ...backend, ...ways } });
    expect(told.enforces.filter((line) => line.includes("A control group limits"))).toEqual([
      "A control group limits all commands of a thread together to 60 processes and threads (sandbox.max_processes).",
      expect.stringMatching(
        /^A control group limits all commands of a thread together to 256 MiB of memory(, not counting swap)? \(/,
      ),
    ]);
    expect(findGroups(process.pid)).toEqual([]);
  });
});
