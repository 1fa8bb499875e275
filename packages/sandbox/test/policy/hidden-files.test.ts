import { getuid } from "node:process";
import { describe, expect, it } from "vitest";
import { bash, runToEnd } from "../fixture/runner.ts";
import { createSandboxFixture, whyNoSandbox, type FixtureOptions } from "../fixture/sandbox.ts";

/**
 * Reads until a file tells it to stop: then the other side has done its work. It starts no processes meanwhile, which
 * would keep those of the other side waiting on a busy machine.
 */
const reader = `echo up
while [ ! -e ../stop ]; do for file in ../codex-home/{auth.json,tokens/a}; do read -r line < $file && echo "$line"; done; done 2>/dev/null
cat ../codex-home/auth.json* ../codex-home/*/a; cat ../codex-home/config.toml ../codex-home/skills/x; echo end`;

const replacements: readonly (readonly [string, string])[] = [
  ["a file over it", "echo secret > n; mv n codex-home/auth.json"],
  ["a file over it that lay beside it", "echo secret > codex-home/auth.json.tmp; mv codex-home/auth.json{.tmp,}"],
  ["it away and back", "mv codex-home/auth.json a; mv a codex-home/auth.json"],
  ["its folder", "mv codex-home/tokens t; cp -r t codex-home/tokens; rm -r t"],
];

const places: readonly (readonly [string, Pick<FixtureOptions, "settings" | "parentIsWritable">])[] = [
  ["read-only", { settings: { mode: "read-only" } }],
  ["workspace-write", {}],
  ["workspace-write, with the home in a writable folder", { parentIsWritable: true }],
];

describe.skipIf(whyNoSandbox !== null)("a hidden file of the harness's home is not read", () => {
  it.each(places.flatMap(([mode, options]) => replacements.map(([what, script]) => ({ mode, what, options, script }))))(
    "in $mode, when somebody outside moves $what while a command runs",
    async ({ options, script }) => {
      const setup =
        "mkdir -p codex-home/{tokens,skills}; for f in auth.json tokens/a; do echo secret > codex-home/$f; done; echo shown | tee codex-home/skills/x > codex-home/config.toml";
      const denyRead = ["codex-home/auth.json", "codex-home/tokens"];
      await using sandbox = await createSandboxFixture({
        ...options,
        setup,
        settings: { ...options.settings, denyRead },
      });
      const { outcome } = await runToEnd(sandbox.runner, bash(reader, { cwd: sandbox.workspace }), {
        onOutput: async ({ text }) => {
          if (text.startsWith("up")) await sandbox.host(`cd ..; for n in {1..5}; do ${script}; done; touch stop`);
        },
      });
      expect(outcome.type === "exited" && outcome.output.text.replaceAll(/^cat: .*\n/gm, "")).toBe(
        "up\nshown\nshown\nend\n",
      );
    },
  );

  it("and the small files beside it say what they said, however many they are, and are not written", async () => {
    const setup = `mkdir -p codex-home work; cd codex-home; echo secret > auth.json; for n in {10..30}; do echo $n > $n; done; chmod 600 10; head -c 50000 /dev/zero > large`;
    await using sandbox = await createSandboxFixture({ setup, settings: { denyRead: ["codex-home/auth.json"] } });
    const script = "cd ../codex-home; cat ?? | wc -l; wc -c < large; (echo x > 10) 2>&1; (echo x > 30) 2>&1; cat 10";
    const { outcome } = await sandbox.run(script);
    expect(outcome).toMatchObject({
      output: {
        text: expect.stringMatching(
          // Root has no right over the files of others, and a copy is root's or the user's own.
          getuid?.() === 0
            ? /^21\n50000\n.*10: Permission denied\n.*30: Read-only file system\n10\n$/
            : /^21\n50000\n.*10: Read-only file system\n.*30: Read-only file system\n10\n$/,
        ) as string,
      },
    });
  });

  it("and nothing of a hidden folder is, where a file in it is named too", async () => {
    const setup = "mkdir keys work; echo secret | tee keys/a > keys/b";
    await using sandbox = await createSandboxFixture({ setup, settings: { denyRead: ["keys", "keys/a"] } });
    const { outcome } = await sandbox.run("cat ../keys/a ../keys/b");
    expect(outcome).toMatchObject({ exitCode: 1, output: { text: expect.not.stringContaining("secret") } });
  });

  it("through a link beside it, when somebody outside replaces it", async () => {
    const setup = "mkdir codex-home work; echo secret > codex-home/auth.json; ln -s auth.json codex-home/link";
    await using sandbox = await createSandboxFixture({ setup, settings: { denyRead: ["codex-home/auth.json"] } });
    const script =
      "echo up; while [ ! -e ../stop ]; do cat ../codex-home/link; done 2>/dev/null; cat ../codex-home/link";
    const { outcome } = await runToEnd(sandbox.runner, bash(script, { cwd: sandbox.workspace }), {
      onOutput: async ({ text }) => {
        if (text.startsWith("up")) await sandbox.host("cd ..; echo secret > n; mv n codex-home/auth.json; touch stop");
      },
    });
    expect(outcome).toMatchObject({ exitCode: 1, output: { text: expect.not.stringContaining("secret") } });
  });

  it("and a link beside it leads where it leads outside", async () => {
    const setup = "mkdir codex-home; echo secret > codex-home/auth.json; ln -s ../work codex-home/link; mkdir work";
    await using sandbox = await createSandboxFixture({ setup, settings: { denyRead: ["codex-home/auth.json"] } });
    const { outcome } = await sandbox.run("echo made > ../codex-home/link/x; cat x; readlink ../codex-home/link");
    expect(outcome).toMatchObject({ exitCode: 0, output: { text: "made\n../work\n" } });
  });

  it.each([
    ["", "mkdir codex-home"],
    [" with its folder", "true"],
  ])("when it appears only while a command runs%s", async (_, setup) => {
    const settings = { denyRead: ["codex-home/auth.json"] };
    await using sandbox = await createSandboxFixture({ setup, settings });
    const wait = "echo up; while [ ! -e ../stop ]; do sleep 0.01; done; cat ../codex-home/auth.json";
    const { outcome } = await runToEnd(sandbox.runner, bash(wait, { cwd: sandbox.workspace }), {
      onOutput: async ({ text }) => {
        if (text.startsWith("up"))
          await sandbox.host("cd ..; mkdir -p codex-home; echo secret > codex-home/auth.json; touch stop");
      },
    });
    expect(outcome).toMatchObject({
      exitCode: 1,
      output: { text: "up\ncat: ../codex-home/auth.json: No such file or directory\n" },
    });
  });
});
