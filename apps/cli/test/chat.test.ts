import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCommandWorld, type RanCommand } from "./run-unroll.ts";

const command = (text: string) => ({ call: "shell_command", arguments: { command: text, login: false } });
const done = { items: [{ text: "Done." }] };

/** A conversation whose lines are typed in one go; they answer in order. */
async function chat(
  turns: readonly object[],
  lines: readonly string[],
): Promise<RanCommand & { readonly rules: string; readonly outputs: readonly string[] }> {
  await using world = await openCommandWorld({ script: { turns: turns as never } });
  const args = ["chat", "-s", "danger-full-access", "-c", "approval_policy=untrusted"];
  const ran = await world.run(args, { stdin: lines.map((line) => `${line}\n`).join("") });
  const outputs = (world.model.requests.at(-1)?.input ?? []).flatMap(({ output }) =>
    typeof output === "string" ? [output] : [],
  );
  const rules = await readFile(join(world.home, ".codex/rules/default.rules"), "utf8").catch(() => "");
  return { ...ran, rules, outputs };
}

test("a conversation of two turns ends with its input", async () => {
  const { exitCode, stderr } = await chat([done, { items: [{ text: "Again." }] }], ["one", "two"]);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/• Done\.[\s\S]*• Again\./);
});

test("a command is asked about with who asks and why, and a yes runs it", async () => {
  const { stderr, outputs } = await chat([{ items: [command("touch a")] }, done], ["go", "y"]);
  expect(stderr).toContain("? May this command run?\n    command │ touch a\n");
  expect(stderr).toContain("   asked by │ approval policy untrusted\n");
  expect(outputs[0]).toContain("Exit code: 0");
});

test("a no goes to the model with what to do instead", async () => {
  const { outputs } = await chat([{ items: [command("touch a")] }, done], ["go", "n", "use b"]);
  expect(outputs).toEqual(["The command was not run: The user said no, and: use b"]);
});

test("always writes the rule, edited, after saying what else it allows", async () => {
  const turns = [{ items: [command("git init -q one")] }, { items: [command("git init -q two")] }, done];
  const { stderr, rules, outputs } = await chat(turns, ["go", "a", "git init -q", "y"]);
  expect(stderr).toContain("Every command that starts with `git init -q` will run");
  expect(rules).toBe('prefix_rule(pattern=["git", "init", "-q"], decision="allow")\n');
  expect(outputs.every((output) => output.includes("Exit code: 0"))).toBe(true);
});

test("the model's questions are put to the person, by number or in their own words", async () => {
  const question = (id: string) => ({
    id,
    header: "Colour",
    question: "Which?",
    options: [
      { label: "Red", description: "r" },
      { label: "Blue", description: "b" },
    ],
  });
  const call = { call: "request_user_input", arguments: { questions: [question("first"), question("second")] } };
  const { outputs } = await chat([{ items: [call] }, done], ["go", "2", "Green"]);
  expect(JSON.parse(outputs[0] ?? "")).toEqual({
    answers: { first: { answers: ["Blue"] }, second: { answers: ["Green"] } },
  });
});

test("an unknown command is refused and does not go to the model, a path does", async () => {
  const { exitCode, stderr, outputs } = await chat([done], ["/nope", "/etc/hosts is odd"]);
  expect({ exitCode, outputs }).toEqual({ exitCode: 0, outputs: [] });
  expect(stderr).toMatch(/unknown command \/nope, \/help lists them\n[\s\S]*• Done\./);
});

test("/mcp and /help are answered here, and /quit leaves", async () => {
  const { exitCode, stderr } = await chat([], ["/help", "/mcp", "/quit", "never asked"]);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^\/quit +leave/m);
  expect(stderr).toContain("No MCP server is configured");
});
