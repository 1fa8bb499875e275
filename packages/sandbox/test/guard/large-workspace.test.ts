import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSandboxFixture, whyNoSandbox } from "../fixture/sandbox.ts";

describe.skipIf(whyNoSandbox !== null)("in a workspace of more than a thousand folders", () => {
  it("a repository that runs a program is put aside with the output of the command that made it, also when it comes late", async () => {
    await using sandbox = await createSandboxFixture({
      setup: "git init -q work",
      prepare: (base) => {
        for (let index = 0; index < 1_100; index += 1) {
          mkdirSync(join(base, "work", String(index % 11), String(index)), { recursive: true });
        }
      },
    });
    const tell = async (script: string): Promise<string> =>
      (await sandbox.run(script)).output.map(({ text }) => text).join("");
    // By the sixth it is watched.
    for (let count = 0; count < 6; count += 1) expect(await tell("true")).toBe("");
    const made = await tell("git init -q 3/3/new && git -C 3/3/new config core.fsmonitor ./evil");
    const config = join(sandbox.workspace, "3/3/new/.git/config");
    expect(made).toBe(
      `unroll: ${config} was put aside as ${config}.quarantined: a later git outside the sandbox would obey core.fsmonitor.\n`,
    );
    const moved = await tell("mv 3/3/new 4 && cp 4/new/.git/config.quarantined 4/new/.git/config");
    expect(moved).toContain(join(sandbox.workspace, "4/new/.git/config.quarantined.2"));
    expect(await tell("true")).toBe("");
  });
});
