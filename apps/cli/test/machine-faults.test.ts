import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openInProcessWorld } from "./run-in-process.ts";
import { command, hasSandbox, openCommandWorld } from "./run-unroll.ts";

const noModel = { script: { turns: [] } };

test.for(["HOME", "CODEX_HOME", "XDG_CACHE_HOME"])(
  "a %s in /proc, where no folder can be made, is reported at once",
  async (name) => {
    await using world = await openInProcessWorld();
    const message = `${name} is /proc, which cannot hold files: set it to a folder of yours.`;
    const ran = await world.run(["exec", "--json", "Hi"], { env: { [name]: "/proc" } });
    expect(ran).toMatchObject({ exitCode: 2, stderr: `unroll: ${message}\n` });
    expect(JSON.parse(ran.stdout)).toMatchObject({ type: "turn.failed", error: { code: "usage", message } });
    const edited = await world.run(["mcp", "add", "one", "--", "ls"], { env: { [name]: "/proc" } });
    expect(edited).toMatchObject({ exitCode: 2, stdout: "", stderr: `unroll: ${message}\n` });
  },
);

/** Root may write everywhere, but a file where a folder is needed stops root too. */
test("an error for a home that cannot be written names its place, and is not called a bug", async () => {
  await using world = await openInProcessWorld();
  const home = join(world.work, "file");
  await writeFile(home, "");
  const ran = await world.run(["mcp", "add", "one", "--", "ls"], { env: { CODEX_HOME: join(home, "codex") } });
  expect(ran).toMatchObject({ exitCode: expect.any(Number), stdout: "" });
  expect(ran.exitCode).not.toBe(0);
  expect(ran.stderr).toMatch(/^unroll: .*file.*\n$/);
  expect(ran.stderr).not.toContain("bug");
});

test.skipIf(process.getuid?.() === 0)("an error for a home without permission says what to do", async () => {
  await using world = await openInProcessWorld();
  const home = join(world.work, "mine");
  await mkdir(home);
  await chmod(home, 0o555);
  const ran = await world.run(["mcp", "add", "one", "--", "ls"], { env: { CODEX_HOME: home } });
  expect(ran.stderr).toMatch(
    /^unroll: .*mine\/config\.toml cannot be changed: permission denied\. .* set CODEX_HOME to a folder that is\.\n$/,
  );
});

test("demo reports a missing temporary folder without a stack", async () => {
  await using world = await openCommandWorld(noModel);
  const ran = await world.run(["demo"], { env: { TMPDIR: join(world.work, "none") } });
  expect(ran).toMatchObject({ exitCode: 1, stdout: "" });
  expect(ran.stderr).toMatch(
    /^unroll: Cannot copy .* into \S*none: it does not exist\. Set TMPDIR to another folder\.\n$/,
  );
});

/** As `docker run --user` gives one. Whether that user may read what is run here depends on where this checkout is. */
const stranger = { uid: 54_321, gid: 54_321 };

test.runIf(process.getuid?.() === 0 && mayRun(command))(
  "a user whom the system does not know needs no more than CODEX_HOME",
  async () => {
    await using world = await openCommandWorld(noModel);
    const home = join(world.work, "mine");
    await mkdir(home);
    await chown(home, stranger.uid, stranger.gid);
    for (const folder of [world.work, dirname(world.work)]) await chmod(folder, 0o755);
    const run = async (env: Record<string, string>): Promise<unknown> =>
      promisify(execFile)(command, ["config", "path"], {
        ...stranger,
        cwd: world.work,
        env: { PATH: process.env["PATH"] ?? "", ...env },
      }).catch((error: unknown) => error);
    expect(await run({ CODEX_HOME: home })).toMatchObject({ stdout: `${home}/config.toml\n`, stderr: "" });
    expect(await run({})).toMatchObject({
      code: 2,
      stderr: "unroll: There is no folder for the config: set CODEX_HOME or HOME.\n",
    });
  },
);

function mayRun(file: string): boolean {
  return spawnSync(file, ["--version"], { ...stranger, cwd: "/" }).status === 0;
}

/** The kernel gives a pipe 64 KiB: an exit that does not wait cuts what is behind that. */
test("output that is more than a pipe holds arrives whole", async () => {
  await using world = await openCommandWorld(noModel);
  const tables = Array.from({ length: 4000 }, (_, at) => `[mcp_servers.server-${at}]\ncommand = "program-${at}"\n`);
  await writeFile(join(world.home, ".codex/config.toml"), tables.join(""));
  const child = spawn(command, ["mcp", "list", "--json"], {
    cwd: world.work,
    env: { PATH: process.env["PATH"], HOME: world.home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = new Promise((resolve) => child.on("close", resolve));
  let text = "";
  for await (const piece of child.stdout.setEncoding("utf8")) {
    text += String(piece);
  }
  expect(await closed).toBe(0);
  expect(JSON.parse(text)).toHaveLength(4000);
});

test("a reader that goes away does not hold a command up", async () => {
  await using world = await openCommandWorld(noModel);
  const script = `"${command}" --help | true; "${command}" mcp list --json >&-; echo "ended $?"`;
  const env = { PATH: process.env["PATH"], HOME: world.home };
  const { stdout } = await promisify(execFile)("sh", ["-c", script], { cwd: world.work, env });
  expect(stdout).toMatch(/^ended \d+\n$/);
});

test.for([28, 26, 25, 24])("%i open files: a failure names the limit and how to raise it", async (limit) => {
  await using world = await openCommandWorld({ script: { turns: [{ items: [{ text: "Hello." }] }] } });
  const run = `ulimit -n ${limit}; exec "${command}" exec --skip-git-repo-check -s workspace-write Hi </dev/null`;
  const env = { PATH: process.env["PATH"], HOME: world.home };
  const ran = await promisify(execFile)("bash", ["-c", run], { cwd: world.work, env }).catch((error: unknown) => error);
  const { stderr = "" } = ran as { stderr?: string };
  expect(stderr).not.toMatch(/bug in unroll|^ {4}at /m);
  for (const line of stderr.split("\n").filter((each) => each.startsWith("unroll: ")))
    expect(line).toMatch(/too many open files.*ulimit -n 1024( \(\w+\))?\.$/);
});

/** The program is in more files than that, which it opens at once where it may. */
test.runIf(hasSandbox)("44 open files are enough for a run with sandboxed commands", async () => {
  const call = { call: "exec_command", arguments: { cmd: "echo ran > file; cat file", login: false } };
  await using world = await openCommandWorld({
    script: { turns: [{ items: [call] }, { items: [{ text: "Done." }] }] },
  });
  const run = `ulimit -n 44; exec "${command}" exec --json --skip-git-repo-check -s workspace-write Hi </dev/null`;
  const env = { PATH: process.env["PATH"], HOME: world.home };
  const { stdout } = await promisify(execFile)("bash", ["-c", run], { cwd: world.work, env });
  expect(stdout).toContain('"type":"turn.completed"');
  expect(await readFile(join(world.work, "file"), "utf8")).toBe("ran\n");
});

test("apply-patch shows the names of files, and what is hidden in them", async () => {
  await using world = await openInProcessWorld();
  const stdin = "*** Begin Patch\n*** Add File: a\u001b[31m\u202Eb.txt\n+x\n*** End Patch\n";
  const shown = "A a\\u{1b}[31m\\u{202e}b.txt\n";
  const checked = await world.run(["apply-patch", "--check"], { stdin });
  expect(checked).toMatchObject({
    exitCode: 0,
    stdout: `The patch applies cleanly. It would change these files:\n${shown}`,
  });
  const applied = await world.run(["apply-patch"], { stdin });
  expect(applied).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(shown) });
  const [name = ""] = await readdir(world.work);
  expect(await readFile(join(world.work, name), "utf8")).toBe("x\n");
});

test
  .skipIf(process.platform !== "linux")
  .for([
    ["mcp", "list", "--json"],
    ["--help"],
    ["sandbox", "--explain", "-s", "danger-full-access"],
    ["threads", "list"],
  ])("a full disk below the output of %j fails with one message", async (args) => {
  await using world = await openCommandWorld(noModel);
  const child = spawn("sh", ["-c", 'exec "$0" "$@" >/dev/full', command, ...args], {
    cwd: world.work,
    env: { PATH: process.env["PATH"], HOME: world.home },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(child, "exit");
  const stderr = await text(child.stderr);
  expect([(await exited)[0], stderr]).toEqual([1, "unroll: stdout cannot be written: no space left on the disk.\n"]);
});

const smallDisk = ["--dev-bind", "/", "/", "--size", "4096", "--tmpfs"];
const canMount = spawnSync("bwrap", [...smallDisk, tmpdir(), "true"]).status === 0;

test.skipIf(!canMount)("doctor names the folder of threads whose disk is full", async () => {
  await using world = await openInProcessWorld();
  const run = `head -c 4096 /dev/zero >"${world.codexHome}/full"; "${command}" doctor --json`;
  const args = [...smallDisk, world.codexHome, "bash", "-c", run];
  const env = { PATH: process.env["PATH"], HOME: world.home };
  const { stdout } = spawnSync("bwrap", args, { cwd: world.work, encoding: "utf8", env });
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly { readonly check: string }[] };
  expect(checks.find(({ check }) => check === "threads")).toMatchObject({
    state: "failed",
    message: expect.stringContaining(`${world.codexHome}/sessions: no space left on the disk`) as string,
  });
});
