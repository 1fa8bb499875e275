import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toCommandFile } from "@unroll/process-tree";
import { expect, test } from "vitest";
import { probed } from "../fixture/probed-sandbox.ts";
import { createSandboxFixture, type SandboxFixture, whyNoSandbox } from "../fixture/sandbox.ts";
import { bash } from "../fixture/runner.ts";

interface ShortFixture extends AsyncDisposable {
  readonly sandbox: SandboxFixture;
  /** One line for each start of the launcher. */
  readonly starts: () => number;
}

/** The real launcher, which fails `failures` times before it starts anything. */
async function createShortFixture(failures: number): Promise<ShortFixture> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-short-"));
  if (probed.type !== "bubblewrap") throw new Error("This test needs bubblewrap.");
  const [launcher, log] = [join(folder.path, "launcher"), join(folder.path, "log")];
  writeFileSync(log, "");
  const fail = `echo "bwrap: Can't mkdir /x: No space left on device" >&2; exit 1`;
  const count = `echo start >> ${log}; if [ "$(wc -l < ${log})" -le ${failures} ]; then ${fail}; fi`;
  writeFileSync(launcher, `#!/bin/sh\n${count}\nexec ${String(probed.file)} "$@"\n`);
  chmodSync(launcher, 0o755);
  const sandbox = await createSandboxFixture({ backend: { ...probed, file: toCommandFile(launcher) } });
  return {
    sandbox,
    starts: () => readFileSync(log, "utf8").trim().split("\n").length,
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]();
      await folder.remove();
    },
  };
}

test.skipIf(whyNoSandbox !== null)("a shortage before the command starts is passed by one retry", async () => {
  await using fixture = await createShortFixture(1);
  const { outcome } = await fixture.sandbox.run("echo ran");
  expect(outcome).toMatchObject({ type: "exited", exitCode: 0, output: { text: "ran\n" } });
  expect(fixture.starts()).toBe(2);
});

test.skipIf(whyNoSandbox !== null)("a shortage that lasts fails the call, and does not end the turn", async () => {
  await using fixture = await createShortFixture(9);
  const { outcome } = await fixture.sandbox.run("echo ran");
  expect(outcome).toMatchObject({ type: "not_started", message: expect.stringContaining("No space left on device") });
  expect(fixture.starts()).toBe(2);
});

test.skipIf(whyNoSandbox !== null)("a command that ran is never started again, whatever it prints", async () => {
  await using fixture = await createShortFixture(0);
  const { outcome } = await fixture.sandbox.run("echo 'No space left on device' >&2; exit 1");
  expect(outcome).toMatchObject({ type: "exited", exitCode: 1 });
  expect(fixture.starts()).toBe(1);
});

test.skipIf(whyNoSandbox !== null)("a background command is started once more after a shortage, too", async () => {
  await using fixture = await createShortFixture(1);
  const { runner, workspace } = fixture.sandbox;
  const opened = await runner.startBackgroundCommand(
    bash("echo ran", { cwd: workspace }),
    new AbortController().signal,
  );
  if (opened.type !== "opened") throw new Error(opened.message);
  let step = await opened.session.output.next();
  while (step.done !== true) step = await opened.session.output.next();
  expect(step.value).toMatchObject({ type: "exited", exitCode: 0, output: { text: "ran\n" } });
});
