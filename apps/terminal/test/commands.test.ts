import { execFileSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtInCommands } from "../src/command/commands.ts";
import { readText } from "../src/command/read-command.ts";
import { keys, openTerminalWorld, readSent, type TerminalWorld } from "./terminal-world.ts";

const ready = "gpt-5-codex";

test("all commands are there, each with what it does", () => {
  expect(builtInCommands.map(({ name }) => name).toSorted()).toEqual(
    (
      "account agents approvals btw cache clear compact config context copy diff effort exit export fork help init login logout mcp mode model name new " +
      "permissions plan ps quit reasoning rename resume review rewind sandbox side skills status theme transcript undo-compact vim"
    ).split(" "),
  );
  expect(builtInCommands.filter(({ description }) => description.length < 4)).toEqual([]);
});

test("a text is a command where it begins with the name of one, and else a message", () => {
  const read = (text: string): string => {
    const found = readText(text, builtInCommands);
    return found.type === "command" ? `${found.command.name}(${found.argument})` : found.type;
  };
  expect(
    ["/help", "/compact the tests ", "/etc/hosts is what?", " /help", "/nothing-like-it", "a /help"].map(read),
  ).toEqual(["help()", "compact(the tests)", "message", "message", "unknown", "message"]);
});

test("a review shows its findings by priority, and the model gets them with the next message", async () => {
  const finding = { title: "It loses data", body: "Because.", file: "a.ts", line: 3 };
  const review = {
    findings: [
      { ...finding, title: "It is slow", priority: 2 },
      { ...finding, priority: 0 },
    ],
    summary: "Not yet.",
  };
  await using world = await openTerminalWorld({ turns: [{ items: [{ text: JSON.stringify(review) }] }] });
  const seat = world.start({}, { columns: 90, rows: 40 });
  await seat.shows(ready);
  seat.type(`/review uncommitted${keys.enter}`);
  await seat.shows("Not yet.");
  const screen = seat.screen().join("\n");
  expect(screen.indexOf("P0 It loses data")).toBeLessThan(screen.indexOf("P2 It is slow"));
  expect(screen).not.toContain("{");
  seat.type(`mend the first${keys.enter}`);
  await seat.shows("all finished");
  expect(readSent(world.model.requests[1])).toMatch(/It loses data.*mend the first/s);
});

test("a side question is answered beside a turn, and the thread and its file have nothing of it", async () => {
  await using world = await openTerminalWorld({
    turns: [
      { items: [{ call: "exec_command", arguments: { cmd: "until [ -e go ]; do sleep 0.02; done" } }] },
      { items: [{ text: "The parser is **fine**." }] },
    ],
  });
  const seat = world.start({}, { columns: 100, rows: 40 });
  await seat.shows(ready);
  seat.type(`mend it${keys.enter}`);
  await seat.shows("until [ -e go ]");
  seat.type(`/btw is the parser fine?${keys.enter}`);
  await seat.shows('Side answer to "is the parser fine?":');
  await seat.shows("The parser is fine.");
  await seat.shows("(side question, ");
  await writeFile(join(world.work, "go"), "");
  await seat.shows("all finished");
  const [first, side, last] = world.model.requests;
  expect(readSent(side)).toContain("is the parser fine?");
  expect(readSent(side).startsWith(readSent(first).slice(0, -1))).toBe(true);
  expect(readSent(last)).not.toContain("parser");
  seat.type(`/export talk.md${keys.enter}`);
  await seat.shows("Saved: ");
  expect(await readFile(join(world.work, "talk.md"), "utf8")).not.toContain("parser");
  seat.type(`/btw${keys.enter}`);
  await seat.shows("Write your question after /btw.");
});

test("a failed review is reported, and the status line keeps the thread's usage", async () => {
  const usage = {
    input_tokens: 7000,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    total_tokens: 7005,
  };
  const cut = {
    items: [{ text: "{" }],
    usage: { ...usage, input_tokens: 3000 },
    end: { incomplete: "max_output_tokens" },
  } as const;
  await using world = await openTerminalWorld({ turns: [{ items: [{ text: "said" }], usage }, cut] });
  const seat = world.start({}, { columns: 120, rows: 40 });
  await seat.shows(ready);
  seat.type(`one${keys.enter}`);
  await seat.shows("7k new, 0 cached");
  seat.type(`/review uncommitted${keys.enter}`);
  await seat.shows("error: ");
  await seat.shows("stopped before its answer was complete");
  expect(seat.screen().join("\n")).toContain("7k new, 0 cached");
});

test("what the model thinks is folded, and shown or hidden as the person wants, from then on", async () => {
  const thinks = (about: string) => ({
    items: [{ reasoning: `About ${about}.\n\nMore on ${about}.` }, { text: "said" }],
  });
  await using world = await openTerminalWorld({ turns: [thinks("one"), thinks("two"), thinks("three")] });
  const seat = world.start();
  await seat.shows(ready);
  for (const line of ["1", "/reasoning shown", "2", "/new", "/reasoning hidden", "3"]) {
    seat.type(`${line}${keys.enter}`);
    if (line.length === 1) await seat.shows(`› ${line}`);
    await seat.shows(line.length === 1 ? "tokens:" : line === "/new" ? "New thread." : `Reasoning: ${line.slice(11)}`);
  }
  await seat.hides("working");
  const text = [...seat.scrolled(), ...seat.screen()].join("\n");
  const found = ["About one.", "More on one.", "About two.", "More on two.", "About three."];
  expect(found.map((each) => text.includes(each))).toEqual([true, false, true, true, false]);
});

test("a command in the background is listed, followed while it writes, and ended", async () => {
  const script = `echo "ser"ving; until [ -e go ]; do sleep 0.02; done; echo "mo"re; sleep 300`;
  await using world = await openTerminalWorld({
    config: 'shell_tool = "exec_command"',
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: script, yield_time_ms: 300 } }] }],
  });
  const seat = world.start({ prompt: "serve" });
  await seat.shows("all finished");
  seat.type(`/ps${keys.enter}`);
  await seat.shows("Background commands");
  await seat.pass(1000);
  seat.type("1");
  await seat.shows("follow it");
  await seat.pass(1000);
  seat.type("1");
  await seat.shows("serving");
  await writeFile(join(world.work, "go"), "");
  await seat.shows("more");
  seat.type("q");
  await seat.hides("q: close");
  seat.type(`/ps${keys.enter}`);
  await seat.shows("Background commands");
  await seat.pass(1000);
  seat.type("1");
  await seat.shows("end it");
  await seat.pass(1000);
  seat.type("2");
  await seat.shows('Ended: echo "ser"ving');
  seat.type(`/ps kill 1${keys.enter}`);
  await seat.shows("There is no command with the id 1. /ps lists all.");
  expect(world.model.requests).toHaveLength(2);
});

test("settings change from the next request on, and the status line shows them", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({}, { columns: 120, rows: 30 });
  await seat.shows(ready);
  for (const [typed, shown] of [
    ["/approvals untrusted", "Approvals: untrusted"],
    ["/sandbox read-only", "Sandbox: read-only"],
    ["/effort high", "Effort: high"],
    ["/approvals sometimes", 'Unknown policy "sometimes"'],
  ] as const) {
    seat.type(`${typed}${keys.enter}`);
    await seat.shows(shown);
  }
  expect(seat.screen().join("\n")).toMatch(/gpt-5-codex high.*read-only.*ask untrusted/);
  seat.type(`go${keys.enter}`);
  await seat.shows("all finished");
  expect(world.model.requests[0]?.body["reasoning"]).toMatchObject({ effort: "high" });
});

/** Types the line and waits for the words on the screen. */
async function say(seat: ReturnType<TerminalWorld["start"]>, line: string, shown: string): Promise<void> {
  seat.type(`${line}${keys.enter}`);
  await seat.shows(shown);
}

test("/copy copies the last command, its output and the whole thread", async () => {
  const call = { call: "exec_command", arguments: { cmd: "echo one; echo two" } };
  await using world = await openTerminalWorld({
    turns: [{ items: [{ text: "hi" }] }, { items: [call] }, { items: [{ text: "It prints two lines." }] }],
    env: { SSH_TTY: "/dev/pts/9" },
  });
  const seat = world.start({ prompt: "hello" });
  await seat.shows("tokens:");
  await say(seat, "/copy command", "The model has not run a command yet.");
  await say(seat, "run it", "It prints two lines.");
  await say(seat, "/copy command", "Sent 18 characters to the terminal");
  await say(seat, "/copy output", "Sent 7 characters to the terminal");
  const before = seat.bytes().length;
  seat.type(`/copy thread${keys.enter}`);
  await seat.writes("characters to the terminal", before);
  // oxlint-disable-next-line no-control-regex -- the terminal's own sequence for a clipboard
  const copied = [...seat.bytes().matchAll(/\u001b\]52;c;([^\u0007]+)\u0007/g)].map(([, text = ""]) => atob(text));
  expect(copied.slice(0, 2)).toEqual(["echo one; echo two", "one\ntwo"]);
  expect(copied[2]).toMatch(/hello.*hi.*run it.*echo one; echo two.*It prints two lines\./s);
});

test("a conversation is copied, exported to a file, and continued in a complete copy", async () => {
  const answer = "Do this:\n\n```sh\nmake it\n```\n\nand that:\n\n```js\nlet a;\n```";
  await using world = await openTerminalWorld({
    turns: [{ items: [{ text: answer }] }],
    env: { SSH_TTY: "/dev/pts/9", DEPLOY_TOKEN: "tok_9f8e7d6c5b4a39281706f5e4d3c2b1a0" },
  });
  // wide, so that no message with a path is wrapped
  const seat = world.start({ prompt: "how, with tok_9f8e7d6c5b4a39281706f5e4d3c2b1a0?" }, { columns: 200, rows: 30 });
  await seat.shows("tokens:");
  await say(seat, "/copy", `Sent ${answer.length} characters to the terminal`);
  await say(seat, "/copy code", "Sent 6 characters to the terminal");
  await say(seat, "/copy 1", "Sent 7 characters to the terminal");
  await say(seat, "/copy 9", "The last answer has 2 code blocks");
  // oxlint-disable-next-line no-control-regex -- the terminal's own sequence for a clipboard
  const copied = [...seat.bytes().matchAll(/\u001b\]52;c;([^\u0007]+)\u0007/g)].map(([, text = ""]) => atob(text));
  expect(copied).toEqual([answer, "let a;", "make it"]);
  await say(seat, "/export talk.md", "Saved: ");
  expect(await readFile(join(world.work, "talk.md"), "utf8")).toMatch(
    /how, with \[masked-secret:DEPLOY_TOKEN\]\?.*make it/s,
  );
  await say(seat, "/export talk.md", "cannot be written");
  await say(seat, "/fork", "You are now in a copy: ");
  await say(seat, "/copy 2", "Sent 6 characters to the terminal");
  await say(seat, "/model other", "  n  no");
  await seat.pass(1000);
  seat.type("y");
  await seat.shows("Model: other, from the next request on.");
  await say(seat, "go on", "› go on");
  await expect.poll(() => readSent(world.model.requests[1])).toMatch(/how, with.*make it.*go on/s);
  expect(world.model.requests[1]?.body["model"]).toBe("other");
});

test("a resumed thread shows how its commands ended and what it used", async () => {
  const turns = [{ items: [{ call: "exec_command", arguments: { cmd: "echo seen; exit 3" } }] }];
  await using world = await openTerminalWorld({ turns });
  const first = world.start({ prompt: "try" });
  await first.shows("tokens:");
  const told = (rows: readonly string[]): readonly string[] =>
    rows.filter((row) => /exit|tokens:/.test(row)).map((row) => row.replace(/ · [\d.]+ m?s$/, ""));
  const before = told(first.screen());
  await first.leave();
  const second = world.start({ from: { name: "last", all: false, copiedTurns: null } });
  await second.shows("Resumed thread");
  expect(told(second.screen())).toEqual(before);
  expect(before).toHaveLength(3);
  await second.shows("% of 272k");
});

test("a resumed thread shows that a command was stopped", async () => {
  await using world = await openTerminalWorld({
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: "echo begun; sleep 60" } }] }],
  });
  const first = world.start({ prompt: "wait" });
  await first.shows("  begun");
  first.type(keys.escape);
  await first.shows("The turn was interrupted");
  await first.leave();
  const second = world.start({ from: { name: "last", all: false, copiedTurns: null } });
  await second.shows("Resumed thread");
  const rows = second.screen().map((row) => row.replaceAll(/[\d.]+ s/g, "1 s").trimEnd());
  const at = rows.indexOf("$ echo begun; sleep 60");
  expect(rows.slice(at, at + 3)).toEqual(["$ echo begun; sleep 60", "  begun", "  ✗ Stopped after 1 s."]);
});

test("a resumed thread shows that a refused command did not run", async () => {
  await using world = await openTerminalWorld({
    config: 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"',
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: "rm -r build" } }] }],
  });
  const first = world.start({ prompt: "clean" });
  await first.shows("Run this command?");
  await first.pass(1000);
  first.type("n");
  await first.shows("tokens:");
  await first.leave();
  const second = world.start({ from: { name: "last", all: false, copiedTurns: null } });
  await second.shows("Resumed thread");
  expect(second.screen().join("\n")).toContain("✗ not run: The user said no.");
});

test("a review of a commit that git does not know is refused, and the model is not asked", async () => {
  await using world = await openTerminalWorld();
  execFileSync("git", ["init", "-q"], { cwd: world.work });
  const seat = world.start();
  await seat.shows(ready);
  seat.type(`/review commit UNKNOWN${keys.enter}`);
  await seat.shows("There is no commit UNKNOWN here.");
  seat.type(`/review branch nowhere${keys.enter}`);
  await seat.shows("There is no branch nowhere here.");
  expect(world.model.requests).toEqual([]);
});

test("commands show settings, colours, servers, skills, changes and a login, and report a missing one", async () => {
  await using world = await openTerminalWorld({
    files: { "a.txt": "one\n" },
    homeFiles: { ".codex/skills/brew/SKILL.md": "---\nname: brew\ndescription: makes tea\n---\nBoil." },
  });
  const seat = world.start({}, { columns: 100, rows: 40 });
  await seat.shows(ready);
  await say(seat, "/config model", 'model = "gpt-5-codex"');
  await say(seat, "/config tui.theme=dark", 'Set tui.theme = "dark" in');
  expect(await readFile(join(world.home, ".codex/config.toml"), "utf8")).toContain('theme = "dark"');
  await say(seat, "/theme light", "Colors: light");
  await say(seat, "/theme pink", 'Unknown theme "pink"');
  await say(seat, "/mcp", "No MCP server is configured");
  await say(seat, "/skills", "brew: makes tea");
  await say(seat, "/diff", "is not in a git repository");
  await say(seat, "/undo-compact", "Nothing to undo");
  await say(seat, "/context", "No request was sent yet");
  await say(seat, "/logout", "You were not logged in.");
  await say(seat, "/help", "/undo-compact");
  await say(seat, "/init", "tokens:");
  expect(readSent(world.model.requests[0])).toContain("Write an AGENTS.md for this project");
});

test("from the demo you log in, and the thread continues with the provider's model", async () => {
  await using world = await openTerminalWorld({ isBare: true });
  const seat = world.start({}, { columns: 90, rows: 30 });
  await seat.shows("Which one do you want to use?");
  await seat.pass(1000);
  seat.type("4");
  await seat.shows("unroll-demo");
  await say(seat, "/login pigeon", 'Unknown way "pigeon". Choose one of: browser, code, key.');
  await say(seat, "/login key", "Enter your API key.");
  await seat.pass(1000);
  seat.type(`sk-of-ann${keys.enter}`);
  await seat.shows("of OpenAI, from the next request on.");
  expect([...seat.scrolled(), ...seat.screen()].join("\n")).not.toContain("sk-of-ann");
});

test("a wrong argument is reported, and declining another model keeps the current one", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({ prompt: "begin" });
  await seat.shows("tokens:");
  await say(seat, "/new and say hello", "Not run: /new takes no argument.");
  await say(seat, "/copy code", "The last answer has no code block: /copy copies all of it.");
  await say(seat, "/model other", "  n  no");
  await seat.pass(1000);
  seat.type("n");
  await seat.shows("The model is still gpt-5-codex");
  await say(seat, "/login", "Test has no login");
  expect(world.model.requests).toHaveLength(1);
});

// as root, who may write /usr: a program that commands can replace makes no sandbox
test.runIf(process.getuid?.() === 0)(
  "without a sandbox, the start says what to do, and later commands repeat only the first sentence",
  async () => {
    const call = (command: string) => ({ call: "exec_command", arguments: { cmd: command } });
    await using world = await openTerminalWorld({
      config:
        'approval_policy = "on-request"\nsandbox_mode = "workspace-write"\nsandbox_workspace_write.writable_roots = ["/usr"]', // which holds bwrap
      turns: [{ items: [call("echo one"), call("echo two")] }],
    });
    const seat = world.start({}, { columns: 400, rows: 40 });
    await seat.shows(
      "Commands will be refused: the sandbox mode is workspace-write, and there is no sandbox here: The program ",
    );
    await say(seat, "try", "all finished");
    const rows = seat.screen().map((row) => row.replace(/ · [\d.]+ m?s/, "").trimEnd());
    expect(rows.filter((row) => row.includes("no sandbox here")).map((row) => row.slice(0, 24))).toEqual([
      "Commands will be refused",
      "  ✗ The command was not ",
      "  ✗ The command was not ",
    ]);
    expect(rows.filter((row) => row.endsWith("(see above)"))).toHaveLength(1);
  },
);

test("an ephemeral thread is not saved, and neither is what you type", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({ prompt: "hush", ephemeral: true });
  await seat.shows("tokens:");
  await say(seat, "again", "› again");
  await say(seat, "/resume", "There is no thread to resume");
  await seat.leave();
  expect((await readdir(join(world.home, ".codex"))).filter((name) => /history|sessions/.test(name))).toEqual([]);
});

test("/cache of a new thread says that no request was sent, and nothing about its cost", async () => {
  await using world = await openTerminalWorld();
  const { text } = await world.run(["/cache"]);
  expect(text).toContain("No request was sent yet.");
  expect(text).not.toContain("cost:");
});
