import { expect, test } from "vitest";
import { builtInCommands } from "../src/command/commands.ts";
import { keys, openTerminalWorld, readSent } from "./terminal-world.ts";

const settings = `approval_policy = "never"\nsandbox_mode = "read-only"\n`;

interface Tried {
  readonly line: string;
  /** The text that both drivers then show, inline and line by line. */
  readonly shows: string;
  /** Set if the inline driver shows the text on a page. */
  readonly opens?: "page";
}

/** A line of each command, in the order in which they are typed. */
const tried: Readonly<Record<string, Tried>> = {
  rewind: { line: "/rewind", shows: "You have not sent a message yet." },
  message: { line: "hello", shows: "tokens:" },
  transcript: { line: "/transcript", shows: "all finished", opens: "page" },
  help: { line: "/help", shows: "/undo-compact" },
  model: { line: "/model gpt-5-codex", shows: "You are already using gpt-5-codex" },
  effort: { line: "/effort high", shows: "Effort: high" },
  approvals: { line: "/approvals untrusted", shows: "Approvals: untrusted" },
  sandbox: { line: "/sandbox read-only", shows: "Sandbox: read-only" },
  permissions: { line: "/permissions read", shows: "Sandbox read-only, approvals on-request" },
  mode: { line: "/mode read-only", shows: "Mode: read-only (" },
  status: { line: "/status", shows: "of Test" },
  context: { line: "/context", shows: "instructions" },
  cache: { line: "/cache", shows: "1 request" },
  compact: { line: "/compact preview", shows: "Not worth compacting", opens: "page" },
  "undo-compact": { line: "/undo-compact", shows: "Nothing to undo" },
  copy: { line: "/copy code", shows: "The last answer has no code block" },
  export: { line: "/export talk.md", shows: "Saved: " },
  fork: { line: "/fork", shows: "You are now in a copy: " },
  new: { line: "/new", shows: "New thread." },
  clear: { line: "/clear", shows: "New thread." },
  rename: { line: "/rename gingerbread", shows: "Name: gingerbread" },
  name: { line: "/name", shows: "Name: gingerbread" },
  resume: { line: "/resume nowhere", shows: "There is no thread nowhere" },
  btw: { line: "/btw what is this?", shows: "(side question, " },
  side: { line: "/side what is this?", shows: "(side question, " },
  plan: { line: "/plan off", shows: "Plan mode is off." },
  review: { line: "/review uncommitted", shows: "tokens: " },
  diff: { line: "/diff", shows: "is not in a git repository" },
  mcp: { line: "/mcp", shows: "No MCP server is configured" },
  skills: { line: "/skills", shows: "There are no skills" },
  ps: { line: "/ps", shows: "No background commands." },
  config: { line: "/config model_provider", shows: 'model_provider = "test"' },
  reasoning: { line: "/reasoning hidden", shows: "Reasoning: hidden" },
  theme: { line: "/theme plain", shows: "Colors: plain" },
  agents: { line: "/agents", shows: "No sub-agents." },
  account: { line: "/account", shows: "Requests to Test use no login" },
  vim: { line: "/vim", shows: "Vim keys " },
  login: { line: "/login", shows: "Test has no login" },
  logout: { line: "/logout", shows: "You were not logged in." },
  init: { line: "/init", shows: "tokens:" },
  exit: { line: "/exit nothing", shows: "Not run: /exit takes no argument." },
  quit: { line: "/quit", shows: "To continue: unroll resume" },
};

const drivers = [
  { name: "painted", plain: false },
  { name: "line by line", plain: true },
] as const;

test.each(drivers)("every command works $name", async ({ plain }) => {
  expect(Object.keys(tried).toSorted()).toEqual([...builtInCommands.map(({ name }) => name), "message"].toSorted());
  await using world = await openTerminalWorld();
  const seat = world.start({ plain }, { columns: 110, rows: 40 });
  await seat.shows("gpt-5-codex");
  for (const { line, shows, opens } of Object.values(tried)) {
    const before = seat.bytes().length;
    seat.type(`${line}${keys.enter}`);
    if (plain || opens === undefined) await seat.shows(line); // a page may hide it at once
    await seat.writes(shows, before);
    await seat.shows(shows); // and the terminal has answered where it stands
    if (plain || opens === undefined) continue;
    await seat.pass(1000);
    seat.type("q");
    await seat.hides("q: close");
  }
  expect(await seat.exitCode).toBe(0);
  expect(readSent(world.model.requests.at(-1))).toContain("Write an AGENTS.md for this project");
});

test("every command works by the lines of a script", async () => {
  await using world = await openTerminalWorld();
  const lines = Object.values(tried).map(({ line }) => line);
  const { text, exitCode } = await world.run(lines);
  expect(exitCode).toBe(0);
  let rest = text;
  for (const [at, { line, shows }] of Object.values(tried).entries()) {
    const start = rest.indexOf(`\n> ${line}\n`);
    const end = lines[at + 1] === undefined ? Infinity : rest.indexOf(`\n> ${lines[at + 1]}\n`, start);
    expect({ line, start, shown: rest.slice(start, end) }).toEqual({
      line,
      start: expect.toSatisfy((found: number) => found >= 0),
      shown: expect.stringContaining(shows),
    });
    rest = rest.slice(end);
  }
});

interface Asked {
  readonly line: string;
  /** How it asks; otherwise for a number or a name. */
  readonly prompt?: string;
  /** The lines that answer its questions. */
  readonly answers: readonly string[];
  readonly shows: string;
}

/** Each command that asks something when it is used alone, with answers. */
const asked: readonly Asked[] = [
  { line: "/effort", answers: ["1"], shows: "Effort: low" },
  { line: "/approvals", answers: ["untrusted"], shows: "Approvals: untrusted" },
  { line: "/sandbox", answers: ["danger-full-access", "y"], shows: "Sandbox: danger-full-access" },
  { line: "/permissions", answers: ["2"], shows: "Sandbox workspace-write, approvals on-request" },
  { line: "/mode", answers: ["full", "y"], shows: "Mode: full (" },
  { line: "/reasoning", answers: ["folded"], shows: "Reasoning: folded" },
  { line: "/theme", answers: ["4"], shows: "Colors: plain" },
  { line: "/review", answers: ["something else"], shows: "To continue, complete this line: /review TASK" },
  { line: "/review", answers: ["3"], shows: "To continue, complete this line: /review commit SHA" },
  { line: "/init", answers: ["2"], shows: "AGENTS.md exists already. Improve it?" },
  { line: "/fork", answers: [], shows: "You are now in a copy: " },
  { line: "/resume", prompt: "Number, words or action: ", answers: ["1"], shows: "Resumed thread " },
  { line: "/rewind", answers: ["1"], shows: "You are back before turn 1." },
];

const questions = { files: { "AGENTS.md": "Be kind." }, config: settings };

test("line by line, the lines of a script answer the questions of commands, and no editor is opened", async () => {
  await using world = await openTerminalWorld(questions);
  const lines = asked.flatMap(({ line, answers }) => [line, ...answers]);
  const { text, exitCode } = await world.run(["hello", ...lines, "/plan edit"]);
  expect(exitCode).toBe(0);
  expect(asked.filter(({ shows }) => !text.includes(shows))).toEqual([]);
  expect(text).toContain("An editor needs a terminal, but here stdin is a script.");
});

test("line by line, you answer the questions of commands", async () => {
  await using world = await openTerminalWorld(questions);
  const seat = world.start({ plain: true }, { columns: 80, rows: 24 });
  await seat.shows("gpt-5-codex");
  seat.type("hello\n");
  await seat.shows("tokens:");
  for (const { line, prompt = "Number or name: ", answers, shows } of asked) {
    let before = seat.bytes().length;
    seat.type(`\u0015${line}\n`); // ^U: without a text that a command left in the line
    for (const answer of answers) {
      await seat.writes(/^y$/.test(answer) ? "[n] no: " : prompt, before);
      before = seat.bytes().length;
      seat.type(`${answer}\n`);
    }
    await seat.writes(shows, line === "/init" ? 0 : before);
    await seat.writes("\n> ", before);
  }
  expect(asked.filter(({ shows }) => !seat.bytes().includes(shows))).toEqual([]);
});

test("line by line, the lines of a script answer in order: a line that names no answer denies, and the end of the input ends it", async () => {
  await using world = await openTerminalWorld();
  const ran = await world.run(["/effort", "perhaps", "/effort", "high", "/theme", "what?", "hello", "/rewind"]);
  expect(ran.exitCode).toBe(0);
  expect(ran.text).toContain("  Number or name: perhaps\n\n> /effort\n");
  expect(ran.text).toContain("  Number or name: high\nEffort: high, from the next request on.\n");
  expect(ran.text).not.toContain("Colors:");
  expect(ran.text).toContain("\n> hello\n• all finished\n");
  expect(ran.text).toContain("? Go back to before which message?\n");
  expect(ran.text).toMatch(/\nTo continue: unroll resume \S+\n$/);
  expect(world.model.requests).toHaveLength(1);
});

test("line by line an API key that is typed is not shown", async () => {
  await using world = await openTerminalWorld({ isBare: true });
  const seat = world.start({ plain: true });
  await seat.shows("Which one do you want to use?");
  await seat.shows("Number or name: ");
  seat.type("4\n");
  await seat.shows("unroll-demo");
  seat.type("/login key\n");
  await seat.shows("Enter your API key.");
  await seat.shows("  > ");
  seat.type("sk-of-ann\n");
  await seat.shows("Logged in.");
  expect(seat.bytes()).not.toContain("sk-of-ann");
});
