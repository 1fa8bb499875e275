import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openModelWorld } from "./run-in-process.ts";
import { openCommandWorld, type RanCommand } from "./run-unroll.ts";

const command = (text: string) => ({ call: "exec_command", arguments: { cmd: text, login: false } });
const done = { items: [{ text: "Done." }] };

interface RanChat extends RanCommand {
  readonly rules: string;
  /** The outputs of the calls. */
  readonly outputs: readonly string[];
  /** The lines that went to the model. */
  readonly inputs: readonly string[];
}

/** A conversation whose lines are typed in one go; they answer in order. */
async function chat(turns: readonly object[], lines: readonly string[]): Promise<RanChat> {
  await using world = await openModelWorld({ script: { turns: turns as never } });
  const args = ["chat", "-s", "danger-full-access", "-c", "approval_policy=untrusted"];
  const ran = await world.run(args, { stdin: lines.map((line) => `${line}\n`).join("") });
  const items = world.model.requests.at(-1)?.input ?? [];
  const outputs = items.flatMap(({ output }) => (typeof output === "string" ? [output] : []));
  const inputs = items.flatMap(({ role, content }) => {
    const [text = ""] = role === "user" ? (content as readonly { text: string }[]).map((part) => part.text) : [];
    return text === "" || text.startsWith("<") ? [] : [text];
  });
  const rules = await readFile(join(world.home, ".codex/rules/default.rules"), "utf8").catch(() => "");
  return { ...ran, rules, outputs, inputs };
}

test("a conversation of two turns ends with its input", async () => {
  const { exitCode, stderr } = await chat([done, { items: [{ text: "Again." }] }], ["one", "two"]);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/• Done\.[\s\S]*• Again\./);
});

test("the question about a command names its origin and the reason, and approving it runs the command", async () => {
  const { stderr, outputs } = await chat([{ items: [command("touch a")] }, done], ["go", "y"]);
  expect(stderr).toContain("? Run this command?\ncommand   │ touch a\n");
  expect(stderr).toContain("asked by  │ approval policy untrusted\n");
  expect(outputs[0]).toContain("Exit code: 0");
});

test("a denial goes to the model with your instructions", async () => {
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

test("an unknown command is refused and does not go to the model, a path does, and so does what a blank begins", async () => {
  const lines = ["/copz", "/no really", "/etc/hosts is odd", " /copz is what I typed"];
  const { exitCode, stderr, inputs } = await chat([done, done], lines);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(
    /Unknown command \/copz\. Did you mean \/copy\?[\s\S]*Unknown command \/no\. \/help lists all commands\./,
  );
  expect(inputs).toEqual(["/etc/hosts is odd", "/copz is what I typed"]);
});

test("events between turns are printed at once", async () => {
  await using world = await openCommandWorld({ script: { turns: [] } });
  const server = 'mcp_servers.gone={ command = "false" }';
  const running = world.start(["chat", "-c", "mcp_startup_grace_ms=0", "-c", server], { stdin: null });
  await running.printed("mcp: ");
  running.child.stdin?.end("/quit\n");
  expect(await running.ended).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/mcp: .*gone/) });
});

test("a signal ends the wait for MCP servers, and the result of a required one is reported", async () => {
  await using world = await openCommandWorld({ script: { turns: [] } });
  const fifo = join(world.work, "up");
  await promisify(execFile)("mkfifo", [fifo]);
  const start = (script: string) => {
    const server = `mcp_servers.slow={ command = "sh", args = ["-c", ${JSON.stringify(script)}], required = true }`;
    return world.start(["chat", "-c", server]);
  };
  const waiting = start(`echo up > ${fifo}; exec sleep 60`);
  await readFile(fifo);
  waiting.child.kill("SIGINT");
  const message = "unroll: The run was interrupted before its turn started.\n";
  expect(await waiting.ended).toMatchObject({ exitCode: 130, stderr: expect.stringContaining(message) });
  const failed = await start("echo no such thing >&2; exit 3").ended;
  expect(failed).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/mcp: .*slow.*no such thing\n[\s\S]*required/),
  });
});

test("/mcp and /help are answered here, and /quit quits", async () => {
  const { exitCode, stderr } = await chat([], ["/help", "/mcp", "/quit", "never asked"]);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^\/quit +quit/m);
  expect(stderr).toContain("No MCP server is configured");
});
