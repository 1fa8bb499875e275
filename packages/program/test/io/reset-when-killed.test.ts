import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(import.meta.resolve("../fixture/killed-program.ts"));
const isPossible = process.platform === "linux" && existsSync("/usr/bin/script");

/** Ends when the helper has; the last loop starts no program, which would come to the foreground. `go`: and lets the program be killed. */
const wait = `
until [ -e "$1/helper" ]; do sleep 0.01; done
read -r pid <"$1/helper"
[ "$2" = go ] && : >"$1/go"
while read -r _ _ state _ <"/proc/$pid/stat" && [ "$state" != Z ]; do :; done`;

test.runIf(isPossible).for([
  { how: "is killed", commands: ': >go; "$@"; sh wait .', isReset: true },
  { how: "is killed under a shell with jobs", commands: 'set -m; : >go; "$@"; set -- .; . ./wait', isReset: true },
  { how: "gave the terminal back before", commands: ': >go; "$@" left; sh wait .', isReset: false },
  { how: "is killed in the background of another program", commands: 'set -m; "$@" & sh wait . go', isReset: false },
])("the terminal of a program that $how gets its modes back: $isReset", async ({ commands, isReset }) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-killed-"));
  await writeFile(join(folder.path, "wait"), wait);
  await writeFile(join(folder.path, "commands"), commands);
  // `script` gives the shell a terminal of its own
  const argv = [process.execPath, "-C", "@unroll/source", program, "."].map((word) => `'${word}'`).join(" ");
  const terminal = spawn("/usr/bin/script", ["-qec", `sh commands ${argv}`, "/dev/null"], {
    cwd: folder.path,
    stdio: ["pipe", "pipe", "inherit"],
  });
  let written = "";
  terminal.stdout.setEncoding("utf8").on("data", (text: string) => (written += text));
  await once(terminal, "close");
  expect([written.includes("[RESET]\u001b[<u"), written.includes("[first]")]).toEqual([isReset, false]);
});
