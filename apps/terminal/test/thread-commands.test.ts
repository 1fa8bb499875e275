import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keys, openTerminalWorld, readSent, type TerminalWorld } from "./terminal-world.ts";

// The commands that switch threads, and change what is in them.

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

test("/resume continues a thread that you choose, or name by the start of its id", async () => {
  const turns = ["the first answer", "the second answer", "on with the first"].map((text) => ({ items: [{ text }] }));
  await using world = await openTerminalWorld({ turns });
  const seat = world.start({ prompt: "first question" }, { columns: 100, rows: 40 });
  await seat.shows("the first answer");
  await seat.shows("tokens:");
  await say(seat, "/new", "New thread.");
  await say(seat, "second question", "the second answer");
  await say(seat, "/resume", "Resume");
  await seat.shows("› first question");
  await answer(seat, keys.enter);
  await seat.shows("Resumed thread");
  await say(seat, "go on", "on with the first");
  const sent = readSent(world.model.requests[2]);
  expect([sent.includes("first question"), sent.includes("second question")]).toEqual([true, false]);
  const [, id = ""] = /Resumed thread ([\w-]+):/.exec(seat.screen().join("\n")) ?? [];
  await say(seat, `/resume ${id.slice(0, 20)}`, "You are already in this thread.");
  await say(seat, "/resume nothing-like-it", "There is no thread nothing-like-it");
});

test("/compact preview shows what would stay, /compact compacts, and /undo-compact undoes it", async () => {
  const turns = [{ items: [{ text: `It is long. ${"word ".repeat(8000)}` }] }, { items: [{ text: "The summary." }] }];
  await using world = await openTerminalWorld({ turns });
  const seat = world.start({ prompt: "tell me" }, { columns: 100, rows: 30 });
  await seat.shows("tokens:");
  await say(seat, "/compact preview", "After compaction");
  expect(world.model.requests).toHaveLength(1);
  seat.type("q");
  await seat.hides("After compaction");
  await say(seat, "/compact the tests", "Compact this thread?");
  expect(seat.screen().join("\n")).toMatch(/About [\d,]+ tokens become about [\d,]+, and the next request sends most/);
  await answer(seat, keys.enter); // "no" is selected
  await seat.shows("Not compacted.");
  expect(world.model.requests).toHaveLength(1);
  await say(seat, "/compact the tests", "Compact this thread?");
  await answer(seat, "y");
  await seat.shows("compacted from about");
  expect(readSent(world.model.requests[1])).toContain("the tests");
  await say(seat, "/undo-compact", "Undo the last compaction?");
  expect(seat.screen().join("\n")).toMatch(/The next request resends about \d?\d,\d{3} tokens uncached\./);
  await answer(seat, "n");
  await seat.shows("Nothing was changed.");
  await say(seat, "/compact undo", "Undo the last compaction?");
  await answer(seat, "y");
  await seat.shows("The last compaction was undone.");
  await say(seat, "/undo-compact", "Nothing to undo:");
  await say(seat, "and now?", "all finished");
  expect(readSent(world.model.requests[2])).toMatch(/word word .*and now\?/);
});

test("/rewind asks first if it goes back to before a compaction, and says how many tokens are resent", async () => {
  const turns = [`It is long. ${"word ".repeat(8000)}`, "short", "later"];
  await using world = await openTerminalWorld({ turns: turns.map((text) => ({ items: [{ text }] })) });
  const seat = world.start({ prompt: "tell me" }, { columns: 100, rows: 30 });
  await seat.shows("tokens:");
  await say(seat, "second message", "short");
  await seat.hides("working");
  await say(seat, "/compact", "Compact this thread?");
  await answer(seat, "y");
  await seat.shows("compacted from about");
  await say(seat, "third message", "later");
  await seat.hides("working");
  await say(seat, "/rewind", "Go back to before which message?");
  await answer(seat, "2");
  await seat.shows("Go back to before turn 2?");
  expect(seat.screen().join("\n")).toMatch(/The next request resends about \d?\d,\d{3} tokens uncached\./);
  await answer(seat, "n");
  await seat.shows("Nothing was changed.");
  await say(seat, "/rewind", "Go back to before which message?");
  await answer(seat, "1"); // nothing was compacted since
  await seat.shows("You are back before turn 4.");
});

test("a plan can be shown and edited, an answer without a plan leaves it, and /plan off ends plan mode", async () => {
  await using world = await openTerminalWorld({
    config: 'approval_policy = "on-request"\nsandbox_mode = "workspace-write"',
    turns: ["1. Make tea.", "Tea is warm.", "As you wish.\n\n# Plan: drinks\n1. Make cocoa."].map((text) => ({
      items: [{ text }],
    })),
    env: { EDITOR: "sed -i s/tea/coffee/" },
  });
  const seat = world.start();
  await seat.shows(ready);
  await say(seat, "/plan", "Plan mode is on: the model reads and changes nothing.");
  await say(seat, "what to drink?", "Plan saved in");
  expect(seat.screen().join("\n")).toContain("plan: read-only");
  await say(seat, "/plan edit", "Plan saved:");
  await say(seat, "/plan show", "1. Make coffee.");
  seat.type("q");
  await seat.hides("q: close");
  await say(seat, "why?", "is unchanged.");
  await say(seat, "/plan show", "1. Make coffee.");
  seat.type("q");
  await seat.hides("q: close");
  await say(seat, "cocoa", "Make cocoa.");
  await seat.hides("working");
  await say(seat, "/plan show", "q: close");
  expect(seat.screen()[0]).toContain("Plan: drinks");
  seat.type("q");
  await seat.hides("q: close");
  await say(seat, "/sandbox danger-full-access", "You cannot change this in plan mode");
  await say(seat, "/plan off", "workspace-write · ask");
  expect(world.model.requests).toHaveLength(3);
});

test("plan mode stays on when you go to another thread, and each thread gets its own sandbox back", async () => {
  const write = { call: "exec_command", arguments: { cmd: "touch made", login: false } };
  await using world = await openTerminalWorld({
    config: 'approval_policy = "never"\nsandbox_mode = "workspace-write"',
    turns: [{ items: [{ text: "One." }] }, { items: [write] }, { items: [{ text: "Two." }] }],
  });
  const seat = world.start({ prompt: "first" });
  await seat.shows("One.");
  await say(seat, "/plan", "Plan mode is on:");
  await say(seat, "/new", "New thread.");
  await seat.shows("plan: read-only");
  await say(seat, "second", "Two.");
  await expect(readFile(join(world.work, "made"))).rejects.toThrow("ENOENT");
  expect(readSent(world.model.requests[1])).toContain("<plan_mode>");
  await say(seat, "/plan off", "workspace-write · ask");
});

test("/review reviews a branch and a commit, and /diff shows the changes", async () => {
  const text = JSON.stringify({ findings: [], summary: "All is well." });
  await using world = await openTerminalWorld({
    turns: [{ items: [{ text }] }, { items: [{ text }] }],
    files: { "a.txt": "one\n" },
  });
  for (const args of ["init -q -b main", "add a.txt", "commit -qm first", "branch harbour", "tag v7"])
    git(world, ...args.split(" "));
  const seat = world.start({}, { columns: 100, rows: 40 });
  await seat.shows(ready);
  await say(seat, "/diff", "There are no changes since the last commit.");
  await say(seat, "/review", "Review what?");
  await answer(seat, "2");
  await seat.shows("› 1  harbour  ");
  await answer(seat, "1");
  await seat.shows("Reviewing the changes against harbour, read-only.");
  await seat.shows("All is well.");
  await seat.shows("(review, not counted in the status line)");
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

test("/review shows a review in prose as it is, and the model gets it", async () => {
  const prose = "The second line of a.txt is never read.";
  await using world = await openTerminalWorld({
    turns: [{ items: [{ text: prose }] }, { items: [{ text: "Mended." }] }],
    files: { "a.txt": "one\n" },
  });
  const seat = world.start({}, { columns: 100, rows: 40 });
  await seat.shows(ready);
  await say(seat, "/review uncommitted", prose);
  await seat.shows("The model gets these findings with your next message.");
  await seat.hides("working");
  await say(seat, "mend it", "Mended.");
  expect(world.model.requests).toHaveLength(2);
  expect(readSent(world.model.requests[1])).toContain(prose);
});

test("a kept command runs on in another thread, and leaving says that it ended", async () => {
  await using world = await openTerminalWorld({
    config: 'shell_tool = "exec_command"',
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: "sleep 300", yield_time_ms: 250 } }] }],
  });
  const seat = world.start({ prompt: "serve" });
  await seat.shows("tokens:");
  await say(seat, "/ps", "Background commands");
  const [, id = ""] = /sleep 300 {2}(\d+), running/.exec(seat.screen().join("\n")) ?? [];
  await answer(seat, keys.escape);
  await seat.hides("Background commands");
  await say(seat, `/ps keep ${id}`, "It keeps running when you switch threads");
  await say(seat, "/new", "New thread.");
  await say(seat, "/ps", `sleep 300  ${id}, running`);
  await answer(seat, keys.escape);
  await seat.hides("Background commands");
  seat.type(`/quit${keys.enter}`);
  expect(await seat.exitCode).toBe(0);
  await seat.shows("Ended when you quit: sleep 300");
  expect([...seat.scrolled(), ...seat.screen()].join("\n")).not.toContain("Ended with its thread");
});

test("/logout forgets the login and leaves", async () => {
  await using world = await openTerminalWorld({
    isBare: true,
    homeFiles: { ".codex/auth.json": JSON.stringify({ auth_mode: "apikey", OPENAI_API_KEY: "sk-of-ann" }) },
  });
  const seat = world.start();
  await seat.shows("gpt-6.1-sol");
  await say(seat, "/status", "login      API key, stored in");
  seat.type(`/logout${keys.enter}`);
  expect(await seat.exitCode).toBe(0);
  await seat.shows("Logged out.");
  await expect(readFile(join(world.home, ".codex/auth.json"), "utf8")).rejects.toThrow("ENOENT");
});

test("/config, /mcp, /init and /export in a thread without a turn, and /export after one", async () => {
  await using world = await openTerminalWorld({
    config: 'mcp_servers.zoo.command = "false"\ntui.status_line = ["sandbox", "model"]',
    files: { "AGENTS.md": "Be kind.\n" },
  });
  const seat = world.start({}, { columns: 140, rows: 40 });
  await seat.shows(`danger-full-access · ${ready}`);
  await say(seat, "/config", 'sandbox_mode = "danger-full-access"  # ');
  await say(seat, "/config sandbox_mode=open", "the new value: sandbox_mode must be");
  await say(seat, "/mcp", "zoo: failed");
  await say(seat, "/init", "AGENTS.md exists already. Improve it?");
  await answer(seat, "2");
  await seat.hides("AGENTS.md exists already. Improve it?");
  await say(seat, "/export", "There is nothing to export yet.");
  expect(world.model.requests).toEqual([]);
  await say(seat, "hello", "all finished");
  await say(seat, "/export talk.html", "Saved: ");
  expect(await readFile(join(world.work, "talk.html"), "utf8")).toMatch(/^<!doctype html>[^]*all finished/);
});

test("a resumed thread can keep its own model, at the start and at /resume", async () => {
  const turns = ["the first answer", "on with it", "and again"].map((text) => ({ items: [{ text }] }));
  await using world = await openTerminalWorld({ turns });
  const first = world.start({ prompt: "first question" });
  await first.shows("tokens:");
  await first.leave();
  const from = { name: "last", all: false, copiedTurns: null } as const;
  const own = "keep the thread's own model (gpt-5-codex)";
  const resumed = world.start({ model: "gpt-5", from }, { columns: 100, rows: 40 });
  await resumed.shows(own);
  await answer(resumed, "o");
  await resumed.shows("Resumed thread");
  await say(resumed, "go on", "on with it");
  await say(resumed, "/model gpt-5", own);
  await answer(resumed, "o");
  await resumed.shows(`The model is still ${ready}`);
  await resumed.leave();
  const other = world.start({ model: "gpt-5" }, { columns: 100, rows: 40 });
  await other.shows("gpt-5 medium ·");
  await say(other, "/resume", "Resume");
  await answer(other, keys.enter);
  await other.shows(own);
  await answer(other, "o");
  await other.shows("Resumed thread");
  await say(other, "and on", "and again");
  await other.leave();
  const plain = world.start({ model: "gpt-5", from, plain: true });
  await plain.shows("[o]");
  plain.type(`o${keys.enter}`);
  await plain.shows(`${ready} medium, sandbox`);
  expect(world.model.requests.map(({ body }) => body["model"])).toEqual([ready, ready, ready]);
});

test("/effort takes the levels of the model, /model and /help show them, and /status says who set what", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({ model: "gpt-5.6" }, { columns: 140, rows: 60 });
  await seat.shows("gpt-5.6 low");
  await say(seat, "/status", "effort     low (from the catalogue)");
  expect(seat.screen().join("\n")).toContain("verbosity  low (from the catalogue)");
  await say(seat, "/help", "/effort [none|low|medium|high|xhigh|max]");
  await say(
    seat,
    "/effort minimal",
    'gpt-5.6 does not support effort "minimal", only none, low, medium, high, xhigh, max.',
  );
  await say(seat, "/effort max", "Effort: max, from the next request on.");
  await say(seat, "/status", "effort     max (this thread)");
  await say(seat, "go", "all finished");
  await say(seat, "/model gpt-5.2", "  n  no");
  await answer(seat, "y");
  await seat.shows("Model: gpt-5.2, from the next request on.");
  const told = 'gpt-5.2 does not support effort "max", only none, low, medium, high, xhigh. Using medium instead.';
  expect(seat.screen().join("\n").split(told)).toHaveLength(2);
  await say(seat, "/effort", "Effort (now: medium (from the catalogue))");
  expect(seat.screen().join("\n")).toMatch(/none.*\n.*low.*\n.*medium.*\n.*high.*\n.*xhigh/);
  await answer(seat, "5");
  await seat.shows("Effort: xhigh");
  expect(world.model.requests[0]?.body["reasoning"]).toMatchObject({ effort: "max" });
});

test("a new thread has the effort that you set, a resumed one its own", async () => {
  const turns = [1, 2, 3, 4].map((at) => ({ items: [{ text: `answer ${at}` }] }));
  await using world = await openTerminalWorld({ turns });
  const seat = world.start({ model: "gpt-5.2" }, { columns: 120, rows: 40 });
  await seat.shows("gpt-5.2 medium");
  await say(seat, "first", "answer 1");
  await say(seat, "/effort high", "Effort: high");
  await say(seat, "/new", "gpt-5.2 high");
  await say(seat, "second", "answer 2");
  await say(seat, "/resume", "Resume");
  await answer(seat, keys.enter);
  await seat.shows("gpt-5.2 high, sandbox"); // it was set in this thread, after its last turn
  await say(seat, "/effort low", "Effort: low");
  await say(seat, "third", "answer 3");
  await say(seat, "/new", "gpt-5.2 low ·");
  await say(seat, "fourth", "answer 4");
  const sent = world.model.requests.map(({ body }) => (body["reasoning"] as { readonly effort: string }).effort);
  expect(sent).toEqual(["medium", "high", "low", "low"]);
});
