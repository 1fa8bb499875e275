import { randomUUID } from "node:crypto";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readOnlyPolicy } from "../fixture/probed-sandbox.ts";
import { findProcesses } from "../fixture/processes.ts";
import { bash, createManualTimers, createTestRunner, runToEnd } from "../fixture/runner.ts";

const runner = createTestRunner();
afterAll(() => runner[Symbol.asyncDispose]());

const anyDuration: unknown = expect.any(Number);
const nothing = { text: "", totalBytes: 0, totalLines: 0, omittedBytes: 0, omittedLines: 0 };

describe("a command that ends by itself", () => {
  it("has its output yielded as it comes and its exit code returned", async () => {
    const { output, outcome } = await runToEnd(runner, bash("echo out; sleep 0.02; echo err >&2; exit 3"));
    expect(output).toEqual([
      { type: "output", stream: "stdout", text: "out\n" },
      { type: "output", stream: "stderr", text: "err\n" },
    ]);
    expect(outcome).toEqual({
      type: "exited",
      exitCode: 3,
      signal: null,
      durationMs: anyDuration,
      output: { text: "out\nerr\n", totalBytes: 8, totalLines: 2, omittedBytes: 0, omittedLines: 0 },
    });
  });

  it("reports a signal as 128 + its number", async () => {
    const { outcome } = await runToEnd(runner, bash("kill -SEGV $$"));
    expect(outcome).toEqual({
      type: "exited",
      exitCode: 139,
      signal: "SIGSEGV",
      durationMs: anyDuration,
      output: nothing,
    });
  });

  it("never gets half a character, however the bytes arrive", async () => {
    const script = `for byte in 68 c3 a9 e2 82 ac f0 9f 98 80 c3; do printf "\\x$byte"; sleep 0.002; done`;
    const { output, outcome } = await runToEnd(runner, bash(script));
    expect(output.map(({ text }) => text).join("")).toBe("hé€😀\uFFFD");
    expect(outcome).toMatchObject({ output: { text: "hé€😀\uFFFD", totalBytes: 11 } });
  });

  it("finds its input closed", async () => {
    const { outcome } = await runToEnd(runner, bash("cat; echo done"));
    expect(outcome).toMatchObject({ type: "exited", output: { text: "done\n" } });
  });

  it("sees the given environment and the marker, nothing else", async () => {
    const { outcome } = await runToEnd(runner, { ...bash(""), argv: ["env"] });
    const names = outcome.type === "exited" ? outcome.output.text.trim().split("\n") : [];
    expect(new Set(names.map((line) => line.split("=")[0]))).toEqual(new Set(["LANG", "PATH", "UNROLL_PROCESS_ID"]));
  });

  it("has what it wrote after its last child was reaped waited for", async () => {
    const busy = "for ((i = 0; i < 30000; i += 1)); do :; done";
    const { outcome } = await runToEnd(runner, bash(`echo late > >(${busy}; cat); echo early`));
    expect(outcome).toMatchObject({ type: "exited", output: { text: "early\nlate\n" } });
  });
});

describe("a command that cannot start", () => {
  it.each([
    [
      "a file that is no program",
      { argv: ["/etc/passwd"] },
      "/etc/passwd may not be executed: it is not executable, or a folder on the way to it is closed.",
    ],
    ["a missing folder", { cwd: "/proc/no/such/folder" }, "The working folder /proc/no/such/folder does not exist."],
    [
      "too long an argument",
      { argv: ["true", "x".repeat(300_000)] },
      "The argument list is too long for the system. Put the data into a file, or pass it through a pipe.",
    ],
  ])("says so: %s", async (_, spec, message) => {
    expect(await runToEnd(runner, bash("true", spec))).toEqual({
      output: [],
      outcome: {
        type: "not_started",
        message,
        ...(message.includes("not executable") && { reason: "not_executable" }),
      },
    });
  });

  it("says so: an unknown program", async () => {
    const { outcome } = await runToEnd(runner, bash("", { argv: ["no-such-program"] }));
    const message: unknown = expect.stringMatching(/^There is no program no-such-program/);
    expect(outcome).toEqual({ type: "not_started", message });
  });

  it("is refused when its policy needs a sandbox and there is none", async () => {
    await using confined = createTestRunner({ policy: readOnlyPolicy });
    const { outcome } = await runToEnd(confined, bash("true"));
    expect(outcome).toMatchObject({ type: "refused", message: expect.stringContaining("read-only") as string });
    const approved = await runToEnd(confined, bash("true", { confinement: "none" }));
    expect(approved.outcome).toMatchObject({ type: "exited", exitCode: 0 });
  });
});

describe("a command that writes more than is kept", () => {
  it("has its middle left out", async () => {
    const { outcome } = await runToEnd(runner, bash("seq 1000", { maxOutputBytes: 20 }));
    expect(outcome).toMatchObject({
      output: {
        text: "1\n2\n3\n4\n5\n\n[... 3873 bytes left out ...]\n\n999\n1000\n",
        totalBytes: 3893,
        totalLines: 1000,
        omittedBytes: 3873,
        omittedLines: 992,
      },
    });
  });

  /** The second one, which is read as it writes, shows how far the first would be by then. */
  it("waits for a slow reader instead of being buffered", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-slow-"));
    const file = (name: string) => join(folder.path, name);
    const countMegabytes = async (name: string) => (await readFile(file(name), "utf8")).length;
    const write = (name: string) =>
      bash(`touch ${file(name)}; for n in {1..10}; do head -c 1000000 /dev/zero; echo -n . >> ${file(name)}; done`);
    const run = runner.run(write("held"), new AbortController().signal);
    const first = await run.next();
    await runToEnd(runner, write("read"));
    expect(await countMegabytes("read")).toBe(10);
    expect(await countMegabytes("held")).toBeLessThan(2);
    let bytes = first.value.type === "output" ? first.value.text.length : 0;
    for await (const { text } of run) bytes += text.length;
    expect(bytes).toBe(10_000_000);
    expect(await countMegabytes("held")).toBe(10);
  });
});

describe("nothing of a command survives", () => {
  // Each process of it carries a word of its own in its arguments.
  const sleeper = (word: string) => `bash -c 'while :; do sleep 0.2; done' ${word}`;

  it.each([
    ["a child that holds the pipe", (word: string) => `${sleeper(word)} & echo started`],
    ["a child in a session of its own", (word: string) => `setsid ${sleeper(word)} & echo started`],
    [
      "a daemon that closed its streams",
      (word: string) => `(setsid ${sleeper(word)} >/dev/null 2>&1 </dev/null &); echo started`,
    ],
    ["a child that ignores SIGTERM", (word: string) => `trap '' TERM; ${sleeper(word)} & echo started`],
  ])("when it ends: %s", async (_, script) => {
    const word = randomUUID();
    const { outcome } = await runToEnd(runner, bash(script(word)));
    expect(outcome).toMatchObject({ type: "exited", exitCode: 0, output: { text: "started\n" } });
    expect(findProcesses(word)).toEqual([]);
  });

  it("when it times out, after it could clean up", async () => {
    const word = randomUUID();
    const timers = createManualTimers();
    await using timed = createTestRunner({ setTimer: timers.setTimer });
    const script = `trap 'echo bye; exit 9' TERM; setsid ${sleeper(word)} & echo up; while :; do sleep 0.01; done`;
    const { outcome } = await runToEnd(timed, bash(script), { onOutput: timers.expire });
    const text: unknown = expect.stringContaining("bye\n");
    expect(outcome).toMatchObject({ type: "timed_out", output: { text } });
    expect(findProcesses(word)).toEqual([]);
  });

  it("when it is aborted, also if it ignores SIGTERM", async () => {
    const word = randomUUID();
    const controller = new AbortController();
    const { outcome } = await runToEnd(runner, bash(`trap '' TERM; echo up; ${sleeper(word)}`), {
      signal: controller.signal,
      onOutput: () => controller.abort(),
    });
    expect(outcome).toMatchObject({ type: "aborted", output: { text: "up\n" } });
    expect(findProcesses(word)).toEqual([]);
  });

  it("when its reader walks away", async () => {
    const word = randomUUID();
    for await (const piece of runner.run(bash(`echo up; ${sleeper(word)}`), new AbortController().signal)) {
      expect(piece.text).toBe("up\n");
      break;
    }
    expect(findProcesses(word)).toEqual([]);
  });

  it("and it is not even started when the abort came first", async () => {
    expect(await runToEnd(runner, bash("echo no"), { signal: AbortSignal.abort() })).toEqual({
      output: [],
      outcome: { type: "aborted", durationMs: 0, output: nothing },
    });
  });
});

it("commands run side by side", async () => {
  const runs = await Promise.all(Array.from({ length: 20 }, (_, n) => runToEnd(runner, bash(`echo ${n}`))));
  expect(runs.map(({ output }) => output[0]?.text)).toEqual(Array.from({ length: 20 }, (_, n) => `${n}\n`));
});
