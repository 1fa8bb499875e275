import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { env, getuid } from "node:process";

/** Says once, before the tests, which of them this machine cannot run, and why: the summary only counts them. */
export function setup(): void {
  const command = join(import.meta.dirname, "../bin/unroll");
  const bundle = join(import.meta.dirname, "../apps/cli/dist/bundle/unroll.cjs");
  const probe =
    existsSync(bundle) && spawnSync(command, ["sandbox", "-s", "read-only", "--", "true"], { encoding: "utf8" });
  if (probe && probe.status !== 0) announce("the tests that need the sandbox", probe.stderr.trim());
  const explained = existsSync(bundle) && spawnSync(command, ["sandbox", "--explain"], { encoding: "utf8" }).stdout;
  const [, obstacle] = /No control group can limit all commands together: (.*)/.exec(explained || "") ?? [];
  if (obstacle !== undefined) announce("the tests of commands in a control group", obstacle);
  if (!["chromium", "chromium-browser", "google-chrome"].some(isOnPath)) {
    announce("the test of pages in a real browser", "there is no Chromium on PATH (.ci/run installs it)");
  }
  if (!env["CI"]) announce("the checks of logins in a real keyring", "CI makes them; here: pnpm keyring");
  else if (!isOnPath("gnome-keyring-daemon") || !isOnPath("dbus-run-session")) {
    announce(
      "the checks of logins in a real keyring",
      "there is no gnome-keyring or dbus on PATH (.ci/run installs them)",
    );
  }
  if (!isOnPath("zsh")) announce("the tests of zsh's profiles", "there is no zsh on PATH");
  if (!isOnPath("openssl")) announce("the tests of TLS through the proxy for commands", "there is no openssl on PATH");
  if (!isOnPath("ssh")) announce("the test of git over ssh through the proxy for commands", "there is no ssh on PATH");
  if (getuid?.() !== 0)
    announce("the tests of what only root may do, or may not do in the sandbox", "this is an ordinary user");
  else announce("the tests of what file permissions forbid", "this is root; .ci/run makes them as an ordinary user");
}

function isOnPath(program: string): boolean {
  return spawnSync("sh", ["-c", 'command -v "$0"', program]).status === 0;
}

function announce(tests: string, why: string): void {
  process.stderr.write(`skipped: ${tests}: ${why}\n`);
}
