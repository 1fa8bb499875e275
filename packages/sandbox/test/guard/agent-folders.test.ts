import { readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash, runToEnd } from "../fixture/runner.ts";
import {
  createSandboxFixture,
  landlock,
  whyNoSandbox,
  type FixtureOptions,
  type SandboxFixture,
} from "../fixture/sandbox.ts";

/** The folder that the home lies in is elsewhere. */
const linked = "mkdir -p work/real/deep; ln -s real/deep work/link";

/** Waits until somebody outside has removed the empty folder that holds the name down. */
const attack = "echo up; while [ -e .codex ]; do sleep 0.01; done; mkdir .codex; echo evil > .codex/config.toml";

function attackWhileCleanedUp(sandbox: SandboxFixture): ReturnType<typeof runToEnd> {
  return runToEnd(sandbox.runner, bash(attack, { cwd: sandbox.workspace }), {
    onOutput: ({ stream }) => {
      if (stream === "stdout") rmdirSync(join(sandbox.workspace, ".codex"));
    },
  });
}

describe.skipIf(whyNoSandbox !== null)("a folder that steers agents", () => {
  it("is put aside where it came to be while a command ran, and the output says so", async () => {
    await using sandbox = await createSandboxFixture();
    const { outcome } = await attackWhileCleanedUp(sandbox);
    const path = join(sandbox.workspace, ".codex");
    expect(outcome).toMatchObject({
      exitCode: 0,
      output: {
        text: `up\nunroll: ${path} was put aside as ${path}.quarantined: it appeared while a command ran in the sandbox, and agents would obey it.\n`,
      },
    });
    await sandbox.runner[Symbol.asyncDispose]();
    expect(readdirSync(sandbox.workspace)).toEqual([".codex.quarantined"]);
  });

  it("is put aside too where only the next command ends after it", async () => {
    await using sandbox = await createSandboxFixture();
    const stop = new AbortController();
    const long = sandbox.runner.run(bash("echo up; sleep 30; true", { cwd: sandbox.workspace }), stop.signal);
    await long.next();
    await attackWhileCleanedUp(sandbox);
    await long.return({ type: "refused", message: "" });
    await sandbox.runner[Symbol.asyncDispose]();
    expect(readdirSync(sandbox.workspace)).toEqual([".codex.quarantined"]);
  });

  it("stays as it was where it was there before", async () => {
    await using sandbox = await createSandboxFixture({
      setup: "mkdir -p work/.codex work/.agents; echo mine > work/.codex/config.toml",
    });
    await sandbox.run("echo evil > .codex/config.toml; mv .codex c; rm -r .codex; touch .agents/x");
    expect(await sandbox.host("find . -type f; cat .codex/config.toml")).toBe("./.codex/config.toml\nmine\n");
  });

  it("is put aside after a command in the weaker sandbox, which lets it be written", async () => {
    await using sandbox = await createSandboxFixture({ backend: landlock, settings: { allowWeaker: true } });
    await sandbox.run("mkdir .codex .agents; touch .codex/config.toml; ln -s /tmp link");
    expect(readdirSync(sandbox.workspace)).toEqual([".agents", ".codex.quarantined", "link"]);
  });
});

describe.skipIf(whyNoSandbox !== null)("the harness's own home in a writable folder", () => {
  const layouts: readonly (readonly [string, FixtureOptions])[] = [
    ["in the workspace", { codexHome: "work/.codex", stateFolder: "work/state" }],
    ["deep in the workspace", { codexHome: "work/deep/er/home/.codex", stateFolder: "work/deep/er/state" }],
    ["below a writable folder", { parentIsWritable: true, codexHome: "user/.codex", stateFolder: "user/.cache/state" }],
    ["around the workspace", { parentIsWritable: true, codexHome: ".codex", workspace: "work/sub", stateFolder: "s" }],
    ["by way of a link", { codexHome: "work/link/.codex", stateFolder: "work/link/state", setup: linked }],
  ];
  const owned = [
    "config.toml",
    "rules/x.rules",
    "skills/x/SKILL.md",
    "auth.json",
    "mcp-tokens/t",
    "threads/t",
    "AGENTS.md",
  ];

  it.each(layouts.flatMap(([place, options]) => [true, false].map((isThere) => ({ place, options, isThere }))))(
    "is not written, $place, there before: $isThere",
    async ({ options, isThere }) => {
      const home = options.codexHome ?? "";
      const fill = `mkdir -p ${home}/{rules,skills/x,mcp-tokens,threads} ${options.stateFolder}; for f in ${owned.join(" ")}; do echo mine > ${home}/$f; done`;
      const setup = `${options.setup ?? "true"}; ${isThere ? fill : "true"}`;
      await using sandbox = await createSandboxFixture({ ...options, setup });
      const list = `cd ${sandbox.base}; ls -lR ${home} || true; grep -r . ${home} | sort; grep -rl evil ${options.stateFolder} || true`;
      const before = await sandbox.host(list);
      const script = `cd ${sandbox.base}; for f in ${owned.join(" ")}; do
        mkdir -p ${home}/$(dirname $f); echo evil > ${home}/$f; rm -f ${home}/$f; ln -s /etc ${home}/$f; chmod 777 ${home}/$f
      done; mkdir -p ${options.stateFolder}; echo evil > ${options.stateFolder}/x
      for name in ${home} ${options.stateFolder}; do
        while [ $name != . ]; do mv $name gone; mkdir -p ${home}; echo evil > ${home}/config.toml; name=$(dirname $name); done
      done`;
      await sandbox.run(script);
      await sandbox.runner[Symbol.asyncDispose]();
      expect(await sandbox.host(list)).toBe(before);
    },
  );

  const home = "mkdir -p codex-home/rules; touch codex-home/rules/mine.rules";
  it.each([
    ["rules", home, "echo evil > ../codex-home/rules/x.rules"],
    ["a config that is not there yet", home, "echo evil > ../codex-home/config.toml"],
    ["by another name", home, "mv ../codex-home ../other; mkdir ../codex-home; echo evil > ../codex-home/config.toml"],
    ["skills of the user", home, "mkdir -p ../.agents/skills; echo evil > ../.agents/skills/x"],
    ["one that is missing", "true", "mkdir -p ../codex-home; echo evil > ../codex-home/config.toml"],
    ["the sandbox's state", home, "echo evil > ../state/x"],
  ])("is not written: %s", async (_, setup, script) => {
    await using sandbox = await createSandboxFixture({ setup, parentIsWritable: true });
    const { outcome } = await sandbox.run(`touch ../fine && { ${script}; }`);
    expect(outcome).toMatchObject({ type: "exited", exitCode: 1 });
    await sandbox.runner[Symbol.asyncDispose](); // what it keeps for a next command goes, and not while it is looked at
    expect(await sandbox.host("cd ..; grep -rl evil . || find . -name fine")).toBe("./fine\n");
  });
});
