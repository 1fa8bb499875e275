import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const bundle = join(import.meta.dirname, "../dist/bundle/unroll.cjs");
/** As in a container without an init. */
const asProcessOne = ["--dev-bind", "/", "/", "--unshare-user", "--unshare-pid", "--as-pid-1", "--proc", "/proc"];

function canBeOne(): boolean {
  try {
    execFileSync("bwrap", [...asProcessOne, "true"], { stdio: "ignore" });
    return existsSync("/usr/bin/perl") && existsSync(bundle);
  } catch {
    return false;
  }
}

const toArgs = (args: readonly string[], hidden: readonly string[] = []): readonly string[] => [
  ...asProcessOne,
  ...hidden.flatMap((file) => ["--ro-bind", "/dev/null", file]),
  "--",
  process.execPath,
  bundle,
  ...args,
];

test.skipIf(!canBeOne())("as process 1, unroll leaves no zombies, and ends with the exit code of its run", async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), "unroll-one-"));
  const strangers = "for i in 1 2 3 4 5 6 7 8; do (setsid true &); done";
  const settled =
    "for i in $(seq 200); do zombies=$(cat /proc/[0-9]*/stat | grep -c ' Z '); [ $zombies = 0 ] && break; sleep 0.1; done";
  const task = `run: ${strangers}; ${settled}; echo zombies: $zombies`;
  const env = { PATH: process.env["PATH"], HOME: home.path };
  const options = ["exec", "--ephemeral", "--skip-git-repo-check", "-s", "danger-full-access"];
  const ran = await promisify(execFile)("bwrap", toArgs([...options, task]), { cwd: home.path, env });
  expect(ran.stdout).toContain("zombies: 0");
  const wrong = promisify(execFile)("bwrap", toArgs(["exec", "--no-such-flag"]), { cwd: home.path, env });
  await expect(wrong).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("--no-such-flag") as string });
});

test.skipIf(!canBeOne())("as process 1, unroll gets the signals that its container is sent", async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), "unroll-one-"));
  const env = { PATH: process.env["PATH"], HOME: home.path };
  const args = toArgs(["exec", "--json", "--ephemeral", "-s", "danger-full-access", "run: kill -TERM 1; sleep 30"]);
  const child = spawn("bwrap", args, { cwd: home.path, env, stdio: ["ignore", "pipe", "ignore"] });
  let stdout = "";
  child.stdout.on("data", (bytes: Buffer) => (stdout += bytes.toString()));
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(143);
  expect(stdout).toMatch(/"type":"turn\.failed".*"interrupted"/);
});

test.skipIf(!canBeOne())("as process 1 without perl, unroll says which option of the container helps", async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), "unroll-one-"));
  const env = { PATH: process.env["PATH"], HOME: home.path };
  const ran = await promisify(execFile)("bwrap", toArgs(["--version"], ["/usr/bin/perl"]), { cwd: home.path, env });
  expect(ran.stderr).toMatch(/^unroll: this is process 1 of a container, .*docker run --init/);
});

test.skipIf(!canBeOne())("where no sandbox works, the demo only reads, and says what is missing", async () => {
  await using home = await mkdtempDisposable(join(tmpdir(), "unroll-bare-"));
  const env = { PATH: process.env["PATH"], HOME: home.path, TMPDIR: home.path };
  const ran = await promisify(execFile)("bwrap", toArgs(["demo"], ["/usr/bin/perl", "/usr/bin/bwrap"]), {
    cwd: home.path,
    env,
  });
  expect(ran.stderr).toContain("No sandbox works here, so the demo only reads");
  expect(ran.stderr).toMatch(/^What is missing: .*bwrap/m);
  expect(ran.stderr).not.toContain("patched");
  expect(ran.stdout).toContain("This patch would repair the project.");
});
