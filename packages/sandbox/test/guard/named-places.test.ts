import { describe, expect, it } from "vitest";
import { createSandboxFixture, whyNoSandbox } from "../fixture/sandbox.ts";

describe
  .skipIf(whyNoSandbox !== null)
  .concurrent("what a configuration names beyond the repository stays as it is", () => {
    it("where all of the repository is read-only, too", async () => {
      await using sandbox = await createSandboxFixture({
        settings: { git: "protected" },
        setup:
          "git init -q work; cd work; mkdir hooks; git config core.hooksPath hooks; git config include.path ../team",
      });
      const { outcome } = await sandbox.run("cp /bin/true hooks/pre-commit; git config -f team core.fsmonitor evil");
      expect(await sandbox.host("ls hooks; cat team 2>/dev/null || ls -d team*")).toBe("team.quarantined\n");
      expect(outcome).toMatchObject({
        output: { text: expect.stringContaining("hooks/pre-commit': Read-only") as string },
      });
    });

    it("where the user's configuration is a link into the folder that is worked in", async () => {
      await using sandbox = await createSandboxFixture({
        setup: "mkdir work; echo > work/gitconfig; ln -s work/gitconfig .gitconfig",
      });
      const { outcome } = await sandbox.run("echo '[core]\nfsmonitor = evil' > gitconfig");
      expect(await sandbox.host("cat gitconfig")).toBe("\n");
      expect(outcome).toMatchObject({ output: { text: expect.stringContaining("Read-only") as string } });
    });

    it("where the home is writable, and no repository", async () => {
      await using sandbox = await createSandboxFixture({ parentIsWritable: true, setup: "echo > .gitconfig" });
      await sandbox.run(
        "cd ..; git config --global core.fsmonitor evil; mkdir -p .config/git; git config -f .config/git/config core.pager evil",
      );
      expect(await sandbox.host("cat ../.gitconfig; ls ../.config/git")).toBe("\nconfig.quarantined\n");
    });
  });
