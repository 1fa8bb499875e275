import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keys, openTerminalWorld, readSent, type TerminalWorld } from "./terminal-world.ts";

// The commands that change which conversation one is in, and what it is made of.

const ready = "gpt-5-codex";

async function say(seat: ReturnType<TerminalWorld["start"]>, line: string, shown: string): Promise<void> {
  seat.type(`${line}${keys.enter}`);
  await seat.shows(shown);
}

/** Answers the dialog that is open. */
async function answer(seat: ReturnType<TerminalWorld["start"]>, key: string): Promise<void> {
  await seat.pass(1000);
  seat.type(key);
}

function git(world: TerminalWorld, ...args: readonly string[]): void {
  const env = { PATH: process.env["PATH"], HOME: world.home };
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: world.work, env });
}

test("an earlier conversation is chosen, or named by the beginning of its id, and gone on with", async () => {
  const turns = ["the first answer", "the second answer", "on with the first"].map((text) => ({ items: [{ text }] }));
  await using world = await openTerminalWorld({ turns });
  const seat = world.start({ prompt: "first question" }, { columns: 100, rows: 40 });
  await seat.shows("the first answer");
  await seat.shows("tokens:");
  await say(seat, "/new", "A new conversation.");
  await say(seat, "second question", "the second answer");
  await say(seat, "/resume", "Go on with");
  await seat.shows("› 1  first question");
  await answer(seat, "1");
  await seat.shows("Going on with thread");
  await say(seat, "go on", "on with the first");
  const sent = readSent(world.model.requests[2]);
  expect([sent.includes("first question"), sent.includes("second question")]).toEqual([true, false]);
  const [, id = ""] = /Going on with thread ([\w-]+)\./.exec(seat.screen().join("\n")) ?? [];
  await say(seat, `/resume ${id.slice(0, 20)}`, "That is this conversation.");
  await say(seat, "/resume nothing-like-it", "There is no thread nothing-like-it");
});

test("a conversation is shortened, looked at before, and what it was is brought back", async () => {
  const turns = [{ items: [{ text: `It is long. ${"word ".repeat(8000)}` }] }, { items: [{ text: "The summary." }] }];
  await using world = await openTerminalWorld({ turns });
  const seat = world.start({ prompt: "tell me" }, { columns: 100, rows: 30 });
  await seat.shows("tokens:");
  await say(seat, "/compact preview", "What would stay");
  expect(world.model.requests).toHaveLength(1);
  seat.type("q");
  await seat.hides("What would stay");
  await say(seat, "/compact the tests", "shortened to about");
  expect(readSent(world.model.requests[1])).toContain("the tests");
  await say(seat, "/undo-compact", "is what it was before it was last shortened");
  await say(seat, "and now?", "all finished");
  expect(readSent(world.model.requests[2])).toMatch(/word word .*and now\?/);
});

test("a plan is shown and edited, an answer that is none leaves it, and without one being carried out plan mode ends", async () => {
  await using world = await openTerminalWorld({
    config: 'approval_policy = "on-request"\nsandbox_mode = "workspace-write"',
    turns: ["1. Make tea.", "Tea is warm.", "As you wish.\n\n# Plan: drinks\n1. Make cocoa."].map((text) => ({
      items: [{ text }],
    })),
    env: { EDITOR: "sed -i s/tea/coffee/" },
  });
  const seat = world.start();
  await seat.shows(ready);
  await say(seat, "/plan", "Plan mode: the model reads, and changes nothing.");
  await say(seat, "what to drink?", "The plan is kept in");
  expect(seat.screen().join("\n")).toContain("plan: read-only");
  await say(seat, "/plan edit", "The plan is written:");
  await say(seat, "/plan show", "1. Make coffee.");
  seat.type("q");
  await seat.hides("space, b");
  await say(seat, "why?", "stays as it is.");
  await say(seat, "/plan show", "1. Make coffee.");
  seat.type("q");
  await seat.hides("space, b");
  await say(seat, "cocoa", "Make cocoa.");
  await seat.hides("working");
  await say(seat, "/plan show", "space, b");
  expect(seat.screen()[0]).toContain("Plan: drinks");
  seat.type("q");
  await seat.hides("space, b");
  await say(seat, "/sandbox danger-full-access", "Plan mode is on, which only reads");
  await say(seat, "/plan off", "workspace-write · ask");
  expect(world.model.requests).toHaveLength(3);
});

test("a branch and a commit are reviewed, and what is changed is shown", async () => {
  const text = JSON.stringify({ findings: [], summary: "All is well." });
  await using world = await openTerminalWorld({
    turns: [{ items: [{ text }] }, { items: [{ text }] }],
    files: { "a.txt": "one\n" },
  });
  for (const args of ["init -q -b main", "add a.txt", "commit -qm first", "branch harbour", "tag v7"])
    git(world, ...args.split(" "));
  const seat = world.start({}, { columns: 100, rows: 40 });
  await seat.shows(ready);
  await say(seat, "/diff", "Nothing is changed since the last commit.");
  await say(seat, "/review", "What is to be reviewed");
  await answer(seat, "2");
  await seat.shows("› 1  harbour  ");
  await answer(seat, "1");
  await seat.shows("Reviewing the changes against harbour, read-only.");
  await seat.shows("All is well.");
  await seat.shows("(of the review; the status line leaves them out)");
  await seat.hides("working");
  await say(seat, "/review commit v7", "Reviewing the commit v7, read-only.");
  await expect.poll(() => world.model.requests.length).toBe(2);
  expect(world.model.requests.map(readSent).map((sent) => [sent.includes("harbour"), sent.includes("v7")])).toEqual([
    [true, false],
    [false, true],
  ]);
  await seat.hides("working");
  await say(seat, "!echo two >> a.txt; echo new > b.txt", "exit 0");
  await say(seat, "/diff", "Changes since the last commit");
  expect(seat.screen().map((row) => row.trim())).toEqual(expect.arrayContaining(["2 +two", "1 +new"]));
});

test("a command that is kept goes on in another conversation, and leaving says that it ended", async () => {
  await using world = await openTerminalWorld({
    config: 'shell_tool = "exec_command"',
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: "sleep 300", yield_time_ms: 250 } }] }],
  });
  const seat = world.start({ prompt: "serve" });
  await seat.shows("tokens:");
  await say(seat, "/ps", "Commands in the background");
  const [, id = ""] = /sleep 300 {2}(\d+), runs/.exec(seat.screen().join("\n")) ?? [];
  await answer(seat, keys.escape);
  await seat.hides("Commands in the background");
  await say(seat, `/ps keep ${id}`, "It goes on when you leave this conversation");
  await say(seat, "/new", "A new conversation.");
  await say(seat, "/ps", `sleep 300  ${id}, runs`);
  await answer(seat, keys.escape);
  await seat.hides("Commands in the background");
  seat.type(`/quit${keys.enter}`);
  expect(await seat.exitCode).toBe(0);
  await seat.shows("Ended with the program: sleep 300");
  expect([...seat.scrolled(), ...seat.screen()].join("\n")).not.toContain("Ended with the conversation");
});

test("who is logged in logs out, which forgets the login and leaves", async () => {
  await using world = await openTerminalWorld({
    isBare: true,
    homeFiles: { ".codex/auth.json": JSON.stringify({ auth_mode: "apikey", OPENAI_API_KEY: "sk-of-ann" }) },
  });
  const seat = world.start();
  await seat.shows("gpt-6.1-sol");
  await say(seat, "/status", "login      a key, kept in");
  seat.type(`/logout${keys.enter}`);
  expect(await seat.exitCode).toBe(0);
  await seat.shows("Logged out.");
  await expect(readFile(join(world.home, ".codex/auth.json"), "utf8")).rejects.toThrow("ENOENT");
});

test("what is set, a server that did not start, a page of what was said, and an AGENTS.md that stays", async () => {
  await using world = await openTerminalWorld({
    config: 'mcp_servers.zoo.command = "false"\ntui.status_line = ["sandbox", "model"]',
    files: { "AGENTS.md": "Be kind.\n" },
  });
  const seat = world.start({}, { columns: 140, rows: 40 });
  await seat.shows(`danger-full-access · ${ready}`);
  await say(seat, "/config", 'sandbox_mode = "danger-full-access"  # ');
  await say(seat, "/config sandbox_mode=open", "the new value: sandbox_mode must be");
  await say(seat, "/mcp", "zoo: failed");
  await say(seat, "/init", "There is an AGENTS.md already");
  await answer(seat, "2");
  await seat.hides("There is an AGENTS.md already");
  await say(seat, "/export", "There is nothing to export yet.");
  expect(world.model.requests).toEqual([]);
  await say(seat, "hello", "all finished");
  await say(seat, "/export talk.html", "Written: ");
  expect(await readFile(join(world.work, "talk.html"), "utf8")).toMatch(/^<!doctype html>[^]*all finished/);
});

test("a conversation that another model would have to read anew goes on with its own, at the start and at /resume", async () => {
  const turns = ["the first answer", "on with it", "and again"].map((text) => ({ items: [{ text }] }));
  await using world = await openTerminalWorld({ turns });
  const first = world.start({ prompt: "first question" });
  await first.shows("tokens:");
  await first.leave();
  const from = { name: "last", all: false, copiedTurns: null } as const;
  const own = "go on with its own model (gpt-5-codex)";
  const resumed = world.start({ model: "gpt-5", from }, { columns: 100, rows: 40 });
  await resumed.shows(own);
  await answer(resumed, "o");
  await resumed.shows("Going on with thread");
  await say(resumed, "go on", "on with it");
  await say(resumed, "/model gpt-5", own);
  await answer(resumed, "o");
  await resumed.shows(`The model stays ${ready}`);
  await resumed.leave();
  const other = world.start({ model: "gpt-5" }, { columns: 100, rows: 40 });
  await other.shows("gpt-5 medium ·");
  await say(other, "/resume", "Go on with");
  await answer(other, "1");
  await other.shows(own);
  await answer(other, "o");
  await other.shows("Going on with thread");
  await say(other, "and on", "and again");
  await other.leave();
  const plain = world.start({ model: "gpt-5", from, plain: true });
  await plain.shows("[o]");
  plain.type(`o${keys.enter}`);
  await plain.shows(`${ready}, sandbox`);
  expect(world.model.requests.map(({ body }) => body["model"])).toEqual([ready, ready, ready]);
});

test("/effort takes the levels of the model, /model and /help show them, and /status says who set what", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({ model: "gpt-5.6" }, { columns: 140, rows: 60 });
  await seat.shows("gpt-5.6 low");
  await say(seat, "/status", "effort     low (the catalogue)");
  expect(seat.screen().join("\n")).toContain("verbosity  low (the catalogue)");
  await say(seat, "/help", "/effort [none|low|medium|high|xhigh|max]");
  await say(
    seat,
    "/effort minimal",
    'gpt-5.6 does not take the effort "minimal": it takes none, low, medium, high, xhigh, max.',
  );
  await say(seat, "/effort max", "Effort: max, from the next request on.");
  await say(seat, "/status", "effort     max (this thread)");
  await say(seat, "go", "all finished");
  await say(seat, "/model gpt-5.2", "  n  no");
  await answer(seat, "y");
  await seat.shows("Model: gpt-5.2, from the next request on.");
  const told =
    'gpt-5.2 does not take the effort "max": it takes none, low, medium, high, xhigh. Instead, it is sent the catalogue\'s, medium.';
  expect(seat.screen().join("\n").split(told)).toHaveLength(2);
  await say(seat, "/effort", "Effort (now: medium (the catalogue))");
  expect(seat.screen().join("\n")).toMatch(/none.*\n.*low.*\n.*medium.*\n.*high.*\n.*xhigh/);
  await answer(seat, "5");
  await seat.shows("Effort: xhigh");
  expect(world.model.requests[0]?.body["reasoning"]).toMatchObject({ effort: "max" });
});

test("a thread that is new in the same program has the effort that was set, one that is gone on with its own", async () => {
  const turns = [1, 2, 3, 4].map((at) => ({ items: [{ text: `answer ${at}` }] }));
  await using world = await openTerminalWorld({ turns });
  const seat = world.start({ model: "gpt-5.2" }, { columns: 120, rows: 40 });
  await seat.shows("gpt-5.2 medium");
  await say(seat, "first", "answer 1");
  await say(seat, "/effort high", "Effort: high");
  await say(seat, "/new", "gpt-5.2 high");
  await say(seat, "second", "answer 2");
  await say(seat, "/resume", "Go on with");
  await answer(seat, "1");
  await seat.shows("gpt-5.2 medium");
  await say(seat, "third", "answer 3");
  await say(seat, "/new", "gpt-5.2 high");
  await say(seat, "fourth", "answer 4");
  const sent = world.model.requests.map(({ body }) => (body["reasoning"] as { readonly effort: string }).effort);
  expect(sent).toEqual(["medium", "high", "medium", "high"]);
});
