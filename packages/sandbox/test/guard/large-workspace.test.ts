import { mkdirSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noProtection } from "../../src/git/git-rules.ts";
import { createGitGuard } from "../../src/guard/git-guard.ts";
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
    // From then on it is watched.
    expect(await tell("true")).toBe("");
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

it("the user is warned once about more folders than are looked at, no matter who made them", async () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), "unroll-beyond-"));
  const root = join(temporary.path, "work");
  mkdirSync(join(root, "a/b"), { recursive: true });
  const guard = createGitGuard({ clockFile: join(temporary.path, "clock"), openWatch: null, mostFolders: 3 });
  const rules = { type: "rules", rules: [], workRoots: [root], agentPaths: [], git: noProtection } as const;
  const around = async (work: () => void): Promise<readonly string[]> => {
    await guard.open(rules);
    work();
    return guard.close(rules);
  };
  expect(await around(() => {})).toEqual([]);
  expect(await around(() => mkdirSync(join(root, "c")))).toEqual([
    `${root} has come to hold more folders than are looked at: in those beyond, a later git outside the sandbox may run what a command put there.`,
  ]);
  expect(await around(() => mkdirSync(join(root, "d")))).toEqual([]);
  guard.dispose();
});
