import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type InProcessWorld, openInProcessWorld } from "./run-in-process.ts";

const shells = ["bash", "zsh", "fish"] as const;

function isInstalled(shell: string): boolean {
  return spawnSync(shell, ["--version"]).status === 0;
}

/** Into a file of the home folder, whose path is given. */
async function writeScript(world: InProcessWorld, shell: string): Promise<string> {
  const { stdout, exitCode } = await world.run(["completion", shell]);
  expect(exitCode).toBe(0);
  await world.write("home/script", stdout);
  return join(world.home, "script");
}

test("what shells read to complete command lines names subcommands and flags, and not what is hidden", async () => {
  await using world = await openInProcessWorld();
  const scripts = await Promise.all(shells.map((shell) => world.run(["completion", shell])));
  const [bash = "", zsh = "", fish = ""] = scripts.map(({ stdout }) => stdout);
  expect(bash).toMatch(/"mcp"\) next="[^"]*\badd\b[^"]*"/);
  expect(zsh).toContain("bashcompinit");
  expect(fish).toContain("complete -c unroll -n '__fish_use_subcommand' -a resume");
  expect(bash).not.toMatch(/\bchat\b/);
});

test("bash completes with it", async () => {
  await using world = await openInProcessWorld();
  const file = await writeScript(world, "bash");
  const complete = (...words: readonly string[]): readonly string[] => {
    const typed = words.map((word) => `'${word}'`).join(" ");
    const script = `source "$0"; COMP_WORDS=(unroll ${typed}); COMP_CWORD=${words.length}; _unroll; echo "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["--norc", "-c", script, file], { encoding: "utf8" }).trim().split(" ");
  };
  expect([complete("res"), complete("mcp", "a"), complete("exec", "--output-l")]).toEqual([
    ["resume"],
    ["add"],
    ["--output-last-message"],
  ]);
});

/** In a terminal of its own: what Tab makes of each line is what the command is given. */
const tabInZsh = `
zmodload zsh/zpty
zpty shell env -i PATH=$PATH HOME=$HOME TERM=dumb zsh -f -i
zpty -w shell "source $1; unroll() { print -r -- ran: \\$@ . }; PS1='rea''dy '"
zpty -r shell seen '*ready *'
for line in $@[2,-1]; do
  zpty -w -n shell "$line"$'\\t\\r'
  zpty -r shell seen '*ran: * .*'
  print -r -- \${\${seen##*ran: }%% .*}
done
zpty -d shell
`;

test("zsh completes with it, also where its own completions were not begun", async (context) => {
  if (!isInstalled("zsh")) context.skip("zsh is not installed");
  await using world = await openInProcessWorld();
  const file = await writeScript(world, "zsh");
  const lines = ["unroll resu", "unroll mcp a", "unroll exec --output-l"];
  const env = { PATH: process.env["PATH"], HOME: world.home };
  const shown = execFileSync("zsh", ["-f", "-c", tabInZsh, "zsh", file, ...lines], { encoding: "utf8", env });
  expect(shown.trim().split("\n")).toEqual(["resume", "mcp add", "exec --output-last-message"]);
});

test("fish completes with it", async (context) => {
  if (!isInstalled("fish")) context.skip("fish is not installed");
  await using world = await openInProcessWorld();
  const file = await writeScript(world, "fish");
  const env = { PATH: process.env["PATH"], HOME: world.home };
  const complete = (line: string): readonly string[] =>
    execFileSync("fish", ["--no-config", "-c", `source ${file}; complete -C '${line}'`], { encoding: "utf8", env })
      .split("\n")
      .map((row) => row.split("\t", 1)[0] ?? "");
  expect(complete("unroll resu")).toContain("resume");
  expect(complete("unroll mcp a")).toContain("add");
  expect(complete("unroll exec --output-l")).toContain("--output-last-message");
});
