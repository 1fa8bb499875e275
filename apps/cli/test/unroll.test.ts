import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { codexVersion } from "@unroll/protocol/codex-version";
import { expect, test } from "vitest";
import { unrollVersion } from "@unroll/protocol";
import { version } from "../src/version.ts";
import { openInProcessWorld } from "./run-in-process.ts";
import { command, hasSandbox, openCommandWorld } from "./run-unroll.ts";

const hello = { script: { turns: [{ items: [{ text: "Hello." }] }] } };
const silent = { script: { turns: [{ items: [], end: "none" as const, keepOpen: true }] } };

function lastEvent(stdout: string): unknown {
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
}

test("--version tells the version of package.json", async () => {
  await using world = await openCommandWorld({ script: { turns: [] } });
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")) as {
    version: string;
  };
  expect(await world.run(["--version"])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
  expect(manifest.version).toBe(version);
  expect(manifest.version).toBe(unrollVersion);
});

test("as codex, by a link, a copy or UNROLL_AS, --version answers gates that were made for the Codex CLI, and names unroll", async () => {
  await using world = await openCommandWorld({ script: { turns: [] } });
  const gated = { exitCode: 0, stdout: `codex-cli ${codexVersion} (unroll ${version})\n`, stderr: "" };
  const bundle = join(import.meta.dirname, "../dist/bundle");
  cpSync(bundle, join(world.work, "copy"), { recursive: true });
  renameSync(join(world.work, "copy/unroll.cjs"), join(world.work, "copy/codex.cjs"));
  chmodSync(join(world.work, "copy/codex.cjs"), 0o755);
  symlinkSync(command, join(world.work, "codex"));
  mkdirSync(join(world.work, "bin"));
  symlinkSync(join(bundle, "unroll.cjs"), join(world.work, "bin/codex"));
  for (const program of ["codex", "bin/codex", "copy/codex.cjs"])
    expect(await world.run(["--version"], { program: join(world.work, program) })).toEqual(gated);
  const env = { UNROLL_AS: "codex" };
  expect(await world.run(["--version"], { env })).toEqual(gated);
  expect(await world.run(["-c", "model=x", "--version"], { env })).toEqual(gated);
  const own = { env: { UNROLL_AS: "unroll" }, program: join(world.work, "codex") };
  expect(await world.run(["--version"], own)).toMatchObject({ stdout: `${version}\n` });
});

test("a thread that was started as codex does not claim the version of the Codex CLI, and its commands do not start as codex", async () => {
  const call = { call: "exec_command", arguments: { cmd: "echo as=$UNROLL_AS", login: false } };
  await using world = await openCommandWorld({
    script: { turns: [{ items: [call] }, { items: [{ text: "Hello." }] }] },
  });
  const args = ["exec", "--skip-git-repo-check", "-s", "danger-full-access", "--json", "Hi"];
  const { exitCode, stdout } = await world.run(args, { env: { UNROLL_AS: "codex" } });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('"as=\\n"') as string });
  const sessions = join(world.home, ".codex/sessions");
  const [file = ""] = readdirSync(sessions, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".jsonl"),
  );
  const [meta = ""] = readFileSync(join(sessions, file), "utf8").split("\n");
  expect(JSON.parse(meta)).toMatchObject({ type: "session_meta", payload: { originator: "unroll_exec" } });
  expect(meta).not.toContain(codexVersion);
});

test("with --help it prints its help", async () => {
  await using world = await openCommandWorld({ script: { turns: [] } });
  for (const args of [["--help"], ["exec", "--help"]]) {
    const ran = await world.run(args);
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.stdout).toContain("Usage: unroll");
  }
});

test("exec runs a turn over real HTTP and ends", async () => {
  await using world = await openCommandWorld(hello);
  expect(await world.run(["exec", "--skip-git-repo-check", "Hi"])).toMatchObject({ exitCode: 0, stdout: "Hello.\n" });
});

test("-o leaves the answer in a file, from the bundle too", async () => {
  await using world = await openCommandWorld(hello);
  expect(await world.run(["exec", "--skip-git-repo-check", "-o", "out.md", "Hi"])).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(world.work, "out.md"), "utf8")).toBe("Hello.");
});

test("an unknown flag or command prints an error with exit code 2, and to a program one terminal event", async () => {
  await using world = await openCommandWorld({ script: { turns: [] } });
  const flag = await world.run(["exec", "--json", "--nope", "Hi"]);
  expect(flag).toMatchObject({ exitCode: 2, stderr: "unroll: unknown option '--nope'\n" });
  expect(lastEvent(flag.stdout)).toMatchObject({
    type: "turn.failed",
    error: { code: "usage", message: "unknown option '--nope'" },
  });
  await using inner = await openInProcessWorld();
  expect(await inner.run(["exce"])).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringMatching(/unknown command/),
  });
  expect(await inner.run(["exec", "-s", "everything", "Hi"])).toMatchObject({ exitCode: 2 });
  expect(await inner.run(["exec", "two", "prompts"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^unroll: too many arguments .*in quotes to make it one argument\.\n$/),
  });
  expect(await inner.run(["exec", "-fix this"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^unroll: unknown option '-fix this'\. .*write -- before it/),
  });
  expect(await inner.run(["exec", "-s", "read-only", "--yolo", "Hi"])).toMatchObject({ exitCode: 2 });
});

test.for([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s ends the turn in order and the process with %i", async ([signal, code]) => {
  await using world = await openCommandWorld(silent);
  const running = world.start(["exec", "--json", "Hi"]);
  await running.printed("turn.started");
  running.child.kill(signal);
  const { exitCode, stdout } = await running.ended;
  expect(exitCode).toBe(code);
  expect(lastEvent(stdout)).toMatchObject({ type: "turn.failed", error: { code: "interrupted" } });
});

test("a closed stdout ends the run as a broken pipe does", async () => {
  await using world = await openCommandWorld({
    script: { turns: [{ items: [{ text: "x".repeat(400) }], eventDelayMs: 2 }] },
  });
  const running = world.start(["exec", "--json", "Hi"]);
  running.child.stdout?.destroy();
  expect((await running.ended).exitCode).toBe(141);
});

test.skipIf(!hasSandbox)(
  "the demo repairs the sample project with the real tools and leaves nothing behind",
  async () => {
    await using world = await openCommandWorld({ script: { turns: [] } });
    const home = join(world.work, "home");
    mkdirSync(home);
    const ran = await world.run(["demo"], { env: { CODEX_HOME: home, TMPDIR: world.work } });
    expect(ran.exitCode).toBe(0);
    expect(ran.stderr).toContain("patched\n  M src/split.js");
    expect(ran.stderr).toMatch(/tokens: [\d,]+ in, [\d,]+ of them cached/);
    expect(ran.stdout).toContain("all tests pass");
    expect(readdirSync(world.work, { recursive: true })).toEqual(["home"]);
  },
);

test.skipIf(!hasSandbox)(
  "where bubblewrap does not work, the demo says so and runs in the weaker sandbox",
  async () => {
    await using world = await openCommandWorld({ script: { turns: [] } });
    const home = join(world.work, "home");
    mkdirSync(home);
    writeFileSync(join(home, "config.toml"), '[programs]\nbwrap = "/proc/nowhere/bwrap"\n');
    const ran = await world.run(["demo"], { env: { CODEX_HOME: home, TMPDIR: world.work } });
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("all tests pass") as string });
    expect(ran.stderr).toMatch(
      /^Commands run in the weaker sandbox .* Correct it, or remove it to use the system's\./m,
    );
  },
);

test("model serves a script on loopback until a signal comes", async () => {
  await using world = await openCommandWorld({ script: { turns: [] } });
  const script = join(import.meta.dirname, "../../../conformance/scripts");
  const running = world.start(["model", "--log", "requests.jsonl"]);
  await running.printed("/v1\n");
  running.child.kill("SIGINT");
  expect(await running.ended).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\n$/),
  });
  expect(readFileSync(join(world.work, "requests.jsonl"), "utf8")).toBe("");
  await using inner = await openInProcessWorld();
  const run = (...args: readonly string[]) => inner.run(args, { cwd: world.work });
  expect(await run("model", "--script", join(script, "none.json"))).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("none.json"),
  });
  expect(await run("model", "--log", "none/requests.jsonl")).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: "unroll: --log none/requests.jsonl: cannot be written: its folder does not exist.\n",
  });
  execFileSync("mkfifo", [join(world.work, "pipe")]);
  expect(await run("model", "--script", "pipe")).toMatchObject({
    exitCode: 2,
    stderr: `unroll: The script ${join(world.work, "pipe")} cannot be read: it is a pipe, not a regular file.\n`,
  });
  expect(await run("execpolicy", "check", "-r", "pipe", "--", "ls")).toMatchObject({
    exitCode: 2,
    stderr: "unroll: -r pipe: cannot be read: it is a pipe, not a regular file.\n",
  });
  const { port } = new URL(world.model.url);
  const log = join(world.work, "requests.jsonl");
  writeFileSync(log, "kept\n");
  expect(await run("model", "--port", port, "--log", log)).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `unroll: Port ${port} on 127.0.0.1 cannot be used: another program uses it. Name another one, or none for a free one.\n`,
  });
  expect(readFileSync(log, "utf8")).toBe("kept\n");
  expect(await run("model", "--port", "many")).toMatchObject({ exitCode: 2 });
});
