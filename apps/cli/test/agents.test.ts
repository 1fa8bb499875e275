import { expect, test } from "vitest";
import { openInProcessWorld } from "./run-in-process.ts";

const role = (name: string, fields: string): string =>
  `name = "${name}"\ndescription = "Does ${name}."\ndeveloper_instructions = "Do it."\n${fields}`;

async function openRoleWorld() {
  const world = await openInProcessWorld();
  return { ...world, run: (...args: readonly string[]) => world.run(args) };
}

test("agents list names all roles with their limits and files; those of a project that is not trusted are not read", async () => {
  await using world = await openRoleWorld();
  const { home, work } = world;
  await world.write("home/.codex/agents/digger.toml", role("digger", 'sandbox_mode = "read-only"'));
  await world.write(
    "home/.claude/agents/few.md",
    "---\nname: few\ndescription: Does few.\ntools: Bash\nmaxTurns: 3\n---\nDo.",
  );
  await world.write("work/.codex/agents/own.toml", role("own", ""));
  const digger = `${home}/.codex/agents/digger.toml`;
  const listed = await world.run("agents", "list");
  expect(listed.stdout).toContain(`digger    Does digger. [read-only]  (${digger})`);
  expect(listed.stdout).toContain("Does few. [only shell_command shell exec_command write_stdin, 3 requests]");
  expect(listed.stdout).toMatch(
    /explorer {2}Finds things out .* \[read-only, approvals never, without apply_patch, model small\] {2}\(built in\)/,
  );
  expect(listed.stderr).toBe(
    "unroll: This project is not trusted, so its 1 role is not read: set its trust_level in config.toml (docs/agents.md).\n",
  );
  const json = (await world.run("agents", "list", "--json")).stdout.trim().split("\n");
  const rows = json.map((line) => JSON.parse(line) as unknown);
  expect(rows[0]).toEqual({
    name: "digger",
    description: "Does digger.",
    path: digger,
    tools: null,
    without_tools: [],
    sandbox_mode: "read-only",
    approval_policy: null,
    model: null,
    reasoning_effort: null,
    max_turns: null,
    worktree: false,
    state: "enabled",
  });
  expect(rows.at(-1)).toEqual({ name: null, path: `${work}/.codex/agents/own.toml`, state: "untrusted" });
});

test("agents check names file, line and field of each fault, and gives exit code 1", async () => {
  await using world = await openRoleWorld();
  await world.write("home/.codex/agents/good.toml", role("good", ""));
  expect(await world.run("agents", "check")).toEqual({ exitCode: 0, stdout: "No faults in 1 role.\n", stderr: "" });
  await world.write("home/.codex/agents/bad.toml", role("bad", "[permissions]\nx = 1"));
  const path = `${world.home}/.codex/agents/bad.toml`;
  const problem = "`permissions` is a field that is not understood, and it may restrict the role: remove it";
  expect(await world.run("agents", "check")).toEqual({
    exitCode: 1,
    stdout: `${path}:4:1: ${problem}. The role was skipped.\n`,
    stderr: "",
  });
  const { stdout } = await world.run("agents", "check", "--json");
  expect(JSON.parse(stdout)).toEqual({ path, line: 4, column: 1, problem, skipped: true });
});
