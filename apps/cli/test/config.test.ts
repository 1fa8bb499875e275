import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProcessIo } from "@unroll/program";
import { expect, test } from "vitest";
import { moveLeadingOptions } from "../src/move-leading-options.ts";
import { createProgram } from "../src/program.ts";
import { openInProcessWorld } from "./run-in-process.ts";
import { openCommandWorld } from "./run-unroll.ts";

/** A home with this `config.toml`, in which commands run with these variables. */
async function openWorld(config: string | null, env: Readonly<Record<string, string>> = {}) {
  const world = await openInProcessWorld();
  if (config !== null) await world.write("home/.codex/config.toml", config);
  const run = (...args: readonly string[]) => world.run(args, { env });
  return { ...world, run, file: join(world.codexHome, "config.toml") };
}

test("config explain prints a key's value, its place, the values that it overrides, and its meaning", async () => {
  await using world = await openWorld(`model = "gpt-5"\nmodle = 1\n`);
  const { stdout, stderr, exitCode } = await world.run("config", "explain", "-m", "gpt-5.1", "model");
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: `model = "gpt-5.1"\n  set by --model\n  overrides "gpt-5", set in ${world.file}:1:1\n  meaning: ${/meaning: (.*)/.exec(stdout)?.[1]}\n`,
  });
  expect(stdout).toMatch(/meaning: the model to use \(models\.md\)\./);
  expect(stderr).toBe(`unroll: ${world.file}:2:1: unknown key modle: it has no effect. Did you mean model?\n`);
  const all = await world.run("config", "explain");
  expect(all.stdout).toContain('sandbox_mode = "read-only"  # the default\n');
  const json: unknown = JSON.parse((await world.run("config", "explain", "--json", "model")).stdout);
  expect(json).toMatchObject({
    asked: ["model"],
    keys: [{ key: "model", value: "gpt-5" }],
    warnings: [{ key: "modle" }],
  });
  expect(await world.run("config", "explain", "modl")).toMatchObject({
    exitCode: 2,
    stderr: "unroll: There is no key modl. Did you mean model?\n",
  });
  expect(await world.run("config", "explain", "zzz")).toMatchObject({
    exitCode: 2,
    stderr: "unroll: There is no key zzz. unroll config explain lists all keys.\n",
  });
});

test("config get prints a value for scripts, set and unset change the file, path and schema print", async () => {
  await using world = await openWorld(null);
  expect(await world.run("config", "path")).toEqual({ exitCode: 0, stdout: `${world.file}\n`, stderr: "" });
  expect(await world.run("config", "get", "model_verbosity")).toMatchObject({ exitCode: 1, stdout: "" });
  expect(await world.run("config", "set", "model_verbosity", "low")).toEqual({
    exitCode: 0,
    stdout: `Set model_verbosity = "low" in ${world.file}:1.\n`,
    stderr: "",
  });
  expect(await world.run("config", "set", "model_reasoning_effort", "minimal")).toEqual({
    exitCode: 0,
    stdout: `Set model_reasoning_effort = "minimal" in ${world.file}:2.\n`,
    stderr: expect.stringMatching(
      /^unroll: .*config\.toml:2:1: model_reasoning_effort: gpt-6\.1-sol does not support effort "minimal", only low, /,
    ) as string,
  });
  await world.run("config", "unset", "model_reasoning_effort");
  expect((await world.run("config", "get", "model_verbosity")).stdout).toBe("low\n");
  expect((await world.run("config", "get", "-c", "model_verbosity=high", "--json", "model_verbosity")).stdout).toBe(
    '"high"\n',
  );
  await world.run("config", "set", "mcp_servers.git hub.command", "npx");
  expect(JSON.parse((await world.run("config", "get", "--json", "mcp_servers")).stdout)).toMatchObject({
    "git hub": { command: "npx", args: [], enabled: true },
  });
  expect(await world.run("config", "unset", "mcp_servers")).toMatchObject({ exitCode: 0 });
  expect(await world.run("config", "unset", "mcp_servers")).toMatchObject({ exitCode: 1, stdout: "" });
  expect(await readFile(world.file, "utf8")).toBe('model_verbosity = "low"\n');
  expect((await world.run("config", "path", "--all")).stdout).toContain(`${world.file}  # user: read\n`);
  expect(JSON.parse((await world.run("config", "schema")).stdout)).toMatchObject({ type: "object" });
});

test.skipIf(process.platform === "win32")(
  "config edit keeps what cannot be read out of the file, and beside it",
  async () => {
    const before = `sandbox_mode = "read-only"\n`;
    await using wrong = await openWorld(before, { EDITOR: "sed -i s/only/onyl/" });
    const refused = await wrong.run("config", "edit");
    expect(refused).toMatchObject({ exitCode: 5, stdout: "" });
    expect(refused.stderr).toContain('(did you mean "read-only"?)');
    expect(await readFile(wrong.file, "utf8")).toBe(before);
    expect(await readFile(join(wrong.home, `.codex/config.draft-${process.pid}.toml`), "utf8")).toContain("onyl");
    await using right = await openWorld(before, { EDITOR: "sed -i s/read-only/workspace-write/" });
    expect(await right.run("config", "edit")).toMatchObject({ exitCode: 0, stdout: `Changed ${right.file}.\n` });
    expect(await readFile(right.file, "utf8")).toBe(`sandbox_mode = "workspace-write"\n`);
  },
);

test.for([
  ["-C D -c k=v -m M exec --json hi", "exec -C D -c k=v -m M --json hi"],
  ["--search --model=M -ck=v exec resume ID", "exec --search --model=M -ck=v resume ID"],
  ["-C D config get model", "config get -C D model"],
  ["-m exec exec hi", "exec -m exec hi"],
  ["exec -m M hi", "exec -m M hi"],
  ["--none exec hi", "--none exec hi"],
  ["-m M", "-m M"],
  ["--help", "--help"],
] as const)("options may come before the subcommand: %s", ([before, after]) => {
  const program = createProgram({ io: {} as ProcessIo, exit: () => {} });
  expect(moveLeadingOptions(program, before.split(" "))).toEqual(after.split(" "));
});

test("options before the subcommand count, and -a, --search, -c as clients write them reach the request", async () => {
  await using world = await openCommandWorld({ script: { turns: [{ items: [{ text: "Hi." }] }] } });
  const options = [
    "-c",
    "model_reasoning_effort=high",
    "-a",
    "never",
    "--search",
    "-c",
    `projects.${world.work}.trust_level="trusted"`,
  ];
  const ran = await world.run([...options, "exec", "--skip-git-repo-check", "Hello"]);
  expect(ran).toMatchObject({ exitCode: 0, stdout: "Hi.\n" });
  expect(world.model.requests[0]?.body).toMatchObject({
    reasoning: { effort: "high" },
    tools: expect.arrayContaining([{ type: "web_search", external_web_access: true }]),
  });
});
