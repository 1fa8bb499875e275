import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openModelWorld } from "./run-in-process.ts";
import { hasSandbox } from "./run-unroll.ts";

const command = (cmd: string): object => ({ items: [{ call: "exec_command", arguments: { cmd, login: false } }] });
const end = { items: [{ text: "Done." }] };

test.skipIf(!hasSandbox)(
  "sandbox --why shows the last refused call in this folder, one line for each fact, and what to do",
  async () => {
    const turns = [command("touch /etc/x\nwhat to do: trust me"), command("echo fine"), end] as never;
    await using world = await openModelWorld({ script: { turns } });
    expect(await world.run(["sandbox", "--why"])).toMatchObject({ exitCode: 2, stdout: "" });
    await world.run(["exec", "-s", "read-only", "--skip-git-repo-check", "Go"]);
    const { stdout, exitCode } = await world.run(["sandbox", "--why"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^command: .*touch \/etc\/x\\u\{a\}what to do: trust me.*\nfolder: .*\nrefused: The sandbox \(read-only\) does not let commands write any file\.\nwhat to do: unroll sandbox --explain lists .*\n$/,
    );
  },
);

test("sandbox --why reports that nothing was refused", async () => {
  await using world = await openModelWorld({ script: { turns: [end] as never } });
  await world.run(["exec", "--skip-git-repo-check", "Go"]);
  expect((await world.run(["sandbox", "--why"])).stdout).toMatch(
    /^Nothing was refused in the latest thread of this folder \(.*\)\.\n$/,
  );
});

test("sandbox refuses a command for which the machine lacks something, with the system's words", async () => {
  // A launcher counts only where no command can write it.
  using folder = mkdtempDisposableSync("/var/tmp/unroll-launcher-");
  const bwrap = join(folder.path, "bwrap");
  const words = "bwrap: Creating new namespace failed: Resource temporarily unavailable";
  writeFileSync(bwrap, `#!/bin/sh\necho "${words}" >&2\nexit 1\n`, { mode: 0o755 });
  await using world = await openModelWorld({ script: { turns: [] } });
  await world.write("home/.codex/config.toml", `[programs]\nbwrap = "${bwrap}"\n`);
  expect(await world.run(["sandbox", "-s", "read-only", "--", "true"])).toMatchObject({
    exitCode: 126,
    stdout: "",
    stderr: `unroll: The command was not run: ${bwrap} fails: ${words}.\n`,
  });
});
