import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSandboxFixture, whyNoSandbox } from "../fixture/sandbox.ts";

describe.skipIf(whyNoSandbox !== null).concurrent("after a command", () => {
  it("a repository that the user made between two commands stays as it is", async () => {
    await using sandbox = await createSandboxFixture();
    await sandbox.run("true");
    await sandbox.host("git init -q mine; git -C mine config alias.mine '!mine'");
    await sandbox.run("touch mine/file");
    expect(await sandbox.host("git -C mine config -l --local | grep alias; ls -A mine")).toBe(
      "alias.mine=!mine\n.git\nfile\n",
    );
  });

  it("what leads to a repository of somebody else goes, and what leads to one of this work tree stays", async () => {
    const setup =
      "mkdir work; git init -q outside/other; git init -q outside/own; cd outside/own; git commit -q --allow-empty -m a; git worktree add -q ../../work/own";
    await using sandbox = await createSandboxFixture({ setup });
    const other = join(sandbox.outside, "other/.git");
    const { outcome } = await sandbox.run(
      `mkdir a b; echo gitdir: ${other} > a/.git; ln -s ${other} b/.git; cp own/.git p; mv p own/.git`,
    );
    expect(outcome).toMatchObject({
      output: { text: expect.stringMatching(/outside of the workspace[^]*outside of the workspace/) as string },
    });
    expect(await sandbox.host("ls -A a b own")).toBe("a:\n.git.quarantined\n\nb:\n\nown:\n.git\n");
  });
});
