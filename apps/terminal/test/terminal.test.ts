import { appendFile, mkdtempDisposable, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProgramStore } from "@unroll/program";
import { createTestIo } from "@unroll/program/fixture/test-io";
import { listStoredTurns, listLiveItems } from "@unroll/protocol";
import { expect, test } from "vitest";
import { writeCrashLog } from "../src/device/write-crash-log.ts";
import { dotPng, keys, openTerminalWorld, readSent, type TerminalWorld } from "./terminal-world.ts";

const ctrlT = "\u0014";
const ready = "gpt-5-codex";

test("a message is answered in the scrollback, and leaving says how to resume", async () => {
  await using world = await openTerminalWorld({ turns: [{ items: [{ text: "It **works**." }] }] });
  const seat = world.start();
  await seat.shows(ready);
  seat.type(`does it work?${keys.enter}`);
  await seat.shows("It works.");
  await seat.shows("tokens:");
  seat.type(keys.ctrlC);
  await seat.shows("Press ^C again to quit");
  seat.type(keys.ctrlC);
  expect(await seat.exitCode).toBe(0);
  await seat.shows("To continue: unroll resume ");
  expect(seat.screen().join("\n")).toContain("› does it work?");
});

test("a prompt of the command line is sent first, and what is typed before all is loaded is not lost", async () => {
  await using world = await openTerminalWorld({ turns: [{ items: [{ text: "one" }] }, { items: [{ text: "two" }] }] });
  const seat = world.start({ prompt: "first" });
  seat.type(`second${keys.enter}`);
  await seat.shows("two");
  expect(world.model.requests.map(readSent).map((sent) => [sent.includes("first"), sent.includes("second")])).toEqual([
    [true, false],
    [true, true],
  ]);
});

test("without a prompt, the command line's pictures are in the input line and are sent with your text", async () => {
  await using world = await openTerminalWorld();
  for (const name of ["a.png", "b.png", "c,d.png"])
    await writeFile(join(world.work, name), Buffer.from(dotPng, "base64"));
  const seat = world.start({ image: ["a.png,b.png", "c,d.png"] });
  await seat.shows("› [image 1] [image 2] [image 3]");
  seat.type(`what are they?${keys.enter}`);
  await seat.shows("all finished");
  expect(readSent(world.model.requests[0]).split(`base64,${dotPng}`)).toHaveLength(4);
});

test("line by line the prompt and its pictures are sent first, and only a thread with messages can be resumed", async () => {
  await using world = await openTerminalWorld();
  await writeFile(join(world.work, "dot.png"), Buffer.from(dotPng, "base64"));
  const silent = world.start({ plain: true });
  await silent.shows("> ");
  silent.type("/quit\n");
  expect(await silent.exitCode).toBe(0);
  const seat = world.start({ plain: true, prompt: "what is it?", image: ["dot.png"] });
  await seat.shows("tokens:");
  seat.type("/quit\n");
  await seat.shows("To continue: unroll resume ");
  expect(silent.bytes()).not.toContain("To go on");
  expect([readSent(world.model.requests[0]).includes(dotPng), world.model.requests.length]).toEqual([true, 1]);
});

test("line by line a command that is typed while a turn runs goes to nobody", async () => {
  const slow = { call: "exec_command", arguments: { cmd: "until [ -e go ]; do sleep 0.02; done" } };
  await using world = await openTerminalWorld({ turns: [{ items: [slow] }] });
  const seat = world.start({ plain: true, prompt: "wait" });
  await seat.shows("until [ -e go ]");
  seat.type("/compact\n");
  await seat.shows("(/compact works after the turn; ^C stops the turn)");
  await writeFile(join(world.work, "go"), "");
  await seat.shows("tokens:");
  expect(world.model.requests.map((request) => readSent(request).includes("/compact"))).toEqual([false, false]);
});

test("an approval is asked whole, and no key that was typed ahead answers it", async () => {
  await using world = await openTerminalWorld({
    config: 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"',
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: "echo made > made.txt" } }] }],
  });
  const seat = world.start({ prompt: "make it" });
  await seat.shows("Run this command?");
  seat.type("y");
  await seat.shows("echo made > made.txt");
  expect(seat.screen().join("\n")).toContain("Run this command?");
  await seat.pass(1000);
  seat.type("y");
  await seat.shows("exit 0");
  await seat.shows("all finished");
  expect(await readFile(join(world.work, "made.txt"), "utf8")).toBe("made\n");
});

test("the reason of a denial goes to the model", async () => {
  await using world = await openTerminalWorld({
    config: 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"',
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: "rm -r build" } }] }],
  });
  const seat = world.start({ prompt: "clean" });
  await seat.shows("Run this command?");
  await seat.pass(1000);
  seat.type("t");
  await seat.shows("what to do instead");
  seat.type(`use make clean${keys.enter}`);
  await seat.shows("all finished");
  expect(readSent(world.model.requests.at(-1))).toContain("use make clean");
});

test("for an unknown command the nearest name is suggested, and nothing is sent", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start();
  await seat.shows(ready);
  seat.type(`/staus${keys.enter}`);
  await seat.shows("Unknown command /staus. Did you mean /status?");
  expect(world.model.requests).toEqual([]);
});

test("a paste of a hundred lines is folded, and sent to the last line", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start();
  await seat.shows(ready);
  const lines = Array.from({ length: 100 }, (_, at) => `at frame ${at} (file.ts:${at})`);
  seat.type(`look: \u001b[200~${lines.join("\r")}\u001b[201~`);
  await seat.shows("[pasted 100 lines]");
  seat.type(keys.enter);
  await seat.shows("all finished");
  expect(readSent(world.model.requests[0])).toContain(JSON.stringify(lines.join("\n")).slice(1, -1));
});

test("what was typed is there in the next run, for the user alone and without secrets, and is found again", async () => {
  await using world = await openTerminalWorld({ env: { OPENAI_API_KEY: "sk-very-secret-key" } });
  const first = world.start();
  await first.shows(ready);
  first.type(`the key is sk-very-secret-key${keys.enter}`);
  await first.shows("all finished");
  await first.leave();
  await first.shows("To continue: unroll resume ");
  const file = join(world.home, ".codex/history.jsonl");
  expect(await readFile(file, "utf8")).toMatch(/"text":"the key is \[secret\]"/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const second = world.start();
  await second.shows(ready);
  second.type(`${keys.ctrlR}the key`);
  await second.shows("› the key is [secret]");
});

test("a command of the person's runs, and the model gets its output with the next message", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start();
  await seat.shows(ready);
  seat.type(`!echo from $((40 + 2))${keys.enter}`);
  await seat.shows("from 42");
  await seat.shows("The model gets this with your next message.");
  expect(world.model.requests).toEqual([]);
  seat.type(`and?${keys.enter}`);
  await seat.shows("all finished");
  expect(readSent(world.model.requests[0])).toMatch(/from 42.*and\?/s);
});

test("plan mode refuses what writes, keeps the plan in a file, and lets you run it", async () => {
  const write = {
    call: "exec_command",
    arguments: { cmd: "echo no > written.txt", sandbox_permissions: "require_escalated", justification: "because" },
  };
  await using world = await openTerminalWorld({
    config: 'approval_policy = "on-request"\nsandbox_mode = "workspace-write"',
    turns: [{ items: [write] }, { items: [{ text: "1. Make tea." }] }],
  });
  const seat = world.start();
  await seat.shows(ready);
  seat.type(`/plan tea${keys.enter}`);
  await seat.shows("Plan saved in");
  await expect(stat(join(world.work, "written.txt"))).rejects.toThrow("ENOENT");
  expect(seat.screen().join("\n")).toContain("Plan mode only reads.");
  seat.type(`/plan go${keys.enter}`);
  await seat.shows("Where should the plan run?");
  await seat.pass(1000);
  seat.type("1");
  await seat.shows("all finished");
  expect(readSent(world.model.requests.at(-1))).toContain("1. Make tea.");
  expect(seat.screen().join("\n")).toContain("workspace-write");
});

test("/rewind removes the last turns of the same thread, and puts the message back into the line", async () => {
  const turns = ["first answer", "second answer", "third answer"].map((text) => ({ items: [{ text }] }));
  await using world = await openTerminalWorld({ turns });
  const seat = world.start({ prompt: "alpha" });
  await seat.shows("first answer");
  await seat.shows("tokens:");
  seat.type(`beta${keys.enter}`);
  await seat.shows("second answer");
  await seat.hides("working");
  seat.type(`/rewind${keys.enter}`);
  await seat.shows("Go back to before");
  await seat.pass(1000);
  seat.type("1");
  await seat.shows("You are back before turn 2");
  seat.type(` gamma${keys.enter}`);
  await seat.shows("third answer");
  const [first, second, third] = world.model.requests;
  const before = second?.input.slice(0, -1) ?? [];
  expect(third?.input.slice(0, before.length)).toEqual(before);
  const sent = readSent(third);
  expect([sent.includes("beta gamma"), sent.split("beta").length, sent.includes("second answer")]).toEqual([
    true,
    2,
    false,
  ]);
  const threads = new Set(world.model.requests.map(({ body }) => body["prompt_cache_key"]));
  expect([threads.size, threads.has(first?.body["prompt_cache_key"])]).toEqual([1, true]);
  seat.type(`${ctrlT}`);
  await seat.shows("Transcript");
  expect(seat.screen().join("\n")).not.toContain("second answer");
});

test("a rewind works in a copy that has no turn of its own yet", async () => {
  const turns = ["first answer", "second answer", "third answer"].map((text) => ({ items: [{ text }] }));
  await using world = await openTerminalWorld({ turns });
  const first = world.start({ prompt: "alpha" });
  await first.shows("tokens:");
  first.type(`beta${keys.enter}`);
  await first.shows("second answer");
  await first.leave();
  const seat = world.start({ from: { name: "last", all: false, copiedTurns: "all" } });
  await seat.shows("a copy of");
  seat.type(`/rewind${keys.enter}`);
  await seat.shows("Go back to before");
  await seat.pass(1000);
  seat.type("1");
  await seat.shows("You are back before turn 2");
  seat.type(` gamma${keys.enter}`);
  await seat.shows("third answer");
  const sent = readSent(world.model.requests[2]);
  expect([sent.includes("alpha"), sent.includes("beta gamma"), sent.includes("second answer")]).toEqual([
    true,
    true,
    false,
  ]);
});

test("a resumed thread shows its earlier messages", async () => {
  await using world = await openTerminalWorld({ turns: [{ items: [{ text: "an early answer" }] }] });
  const first = world.start({ prompt: "an early question" });
  await first.shows("tokens:");
  await first.leave();
  const second = world.start({ from: { name: "last", all: false, copiedTurns: null } });
  await second.shows("Resumed thread");
  expect(second.screen().join("\n")).toMatch(/› an early question\s+an early answer/);
});

test("a turn that was rolled back is not shown again, and you cannot rewind to it", async () => {
  await using world = await openTerminalWorld();
  const first = world.start({ prompt: "alpha" });
  await first.shows("tokens:");
  first.type(`beta${keys.enter}`);
  await expect.poll(() => world.model.requests.length).toBe(2);
  await first.shows(ready);
  await first.leave();
  await takeBackLastTurn(world);
  const second = world.start({ from: { name: "last", all: false, copiedTurns: null } });
  await second.shows("Resumed thread");
  second.type(`/rewind${keys.enter}`);
  await second.shows("Go back to before");
  const shown = [...second.scrolled(), ...second.screen()].join("\n");
  expect([shown.split("alpha").length > 2, shown.includes("beta")]).toEqual([true, false]);
});

/** As `thread/rollback` of the app-server does. */
async function takeBackLastTurn({ home, work }: TerminalWorld): Promise<void> {
  const io = createTestIo({ cwd: work, homeDirectory: home });
  const store = await openProgramStore({ codexHome: join(home, ".codex") }, io);
  const { journal, entries } = await store.resume((await store.find("last")) ?? "");
  await using held = journal;
  const [last] = listStoredTurns(entries).slice(-1);
  held.record({ type: "epoch", cause: "test", isFinal: false, items: listLiveItems(entries.slice(0, last?.start)) });
  await held.settled();
}

test("resizing loses, doubles and alters no finished line, and nothing clears the screen", async () => {
  const paragraphs = Array.from({ length: 30 }, (_, at) => `Paragraph ${at} ends here.`);
  await using world = await openTerminalWorld({ turns: [{ items: [{ text: paragraphs.join("\n\n") }] }] });
  const seat = world.start({ prompt: "long" });
  await seat.shows("Paragraph 10 ends");
  seat.resize(60, 20);
  await seat.shows("tokens:");
  seat.resize(100, 30);
  seat.type(`more${keys.enter}`);
  await seat.shows("all finished");
  const shown = [...seat.scrolled(), ...seat.screen()].flatMap(
    (row) => /Paragraph \d+ ends here\./.exec(row)?.[0] ?? [],
  );
  expect(shown).toEqual(paragraphs);
  // oxlint-disable-next-line no-control-regex -- what wipes the screen or the scrollback
  expect(seat.bytes()).not.toMatch(/\u001b\[(?:2|3)J|\u001b\[\?1049/);
});

test("what resets the terminal if the program is killed is known from the first frame on, and no longer when it has ended", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({ prompt: "begin" });
  await seat.shows("all finished");
  const [keyboard, focus, page] = ["\u001b[<u", "\u001b[?1004l", "\u001b[?1049l"];
  const known = (): readonly boolean[] => [keyboard, focus, page].map((each) => seat.reset().includes(each));
  expect(known()).toEqual([true, true, false]);
  seat.type("\u0014"); // ^T
  await seat.writes("\u001b[?1049h", 0);
  await seat.writes("begin", seat.bytes().indexOf("\u001b[?1049h"));
  expect(known()).toEqual([true, true, true]);
  await seat.leave();
  expect(seat.reset()).toBe("");
});

test("a crash gives the terminal back and is written down without secrets", async () => {
  await using world = await openTerminalWorld({ config: "", env: { OPENAI_API_KEY: "sk-very-secret-key" } });
  const seat = world.start({ prompt: "begin" });
  await seat.shows("all finished");
  seat.crash(new Error("boom sk-very-secret-key"));
  expect(await seat.ended).toBe(1);
  const [, file = ""] = /Details are in (\S+)\. /.exec(seat.bytes().replaceAll(/\r?\n/g, "")) ?? [];
  expect(await readFile(file, "utf8")).toContain("boom [secret]");
  expect(seat.bytes()).toContain("\u001b[?2004l");
  expect(seat.bytes()).toContain("Continue with unroll resume.");
});

test("a crash log masks text that looks like a credential, even if it is not a known one", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-crash-test-"));
  const letters = "abcdefghijklmnopqrstuvwxyz"; // put together here: a whole one would be taken for a key
  const said = [
    `${["sk", "proj", letters].join("-")} ${["ghp", `${letters}0123456789`].join("_")} AKIA${letters.slice(0, 16).toUpperCase()}`,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "Authorization: Bearer abcdefgh12345678, password=hunter2hunter2",
    "connect postgres://ada:lovelace99@db.example/shop",
    "at readToken (file:///home/ada/shop/token-keys.ts:12:7) sk-1 the key: none",
  ];
  const file = writeCrashLog(said.join("\n"), { codexHome: folder.path, now: 0, secrets: [] });
  expect((await readFile(file ?? "", "utf8")).split("\n")).toEqual([
    "[secret] [secret] [secret]",
    "[secret]",
    "Authorization: Bearer [secret], password=[secret]",
    "connect postgres://[secret]@db.example/shop",
    "at readToken (file:///home/ada/shop/token-keys.ts:12:7) sk-1 the key: none",
    "",
  ]);
});

test("/status, /context and /cache tell what the thread is made of and used", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({ prompt: "hello" }, { columns: 100, rows: 60 });
  await seat.shows("tokens:");
  for (const [command, shown] of [
    ["/status", "sandbox    danger-full-access"],
    ["/context", "exec_command"],
    ["/cache", "request   input"],
  ] as const) {
    seat.type(`${command}${keys.enter}`);
    await seat.shows(shown);
  }
  expect(world.model.requests).toHaveLength(1);
});

test("a file of the project is offered behind @", async () => {
  await using world = await openTerminalWorld({ files: { "src/parser/read-tokens.ts": "", "readme.md": "" } });
  const seat = world.start();
  await seat.shows(ready);
  seat.type("see @readtok");
  await seat.shows("src/parser/read-tokens.ts");
  seat.type(keys.tab);
  await seat.shows("› see @src/parser/read-tokens.ts");
  expect(world.model.requests).toEqual([]);
});

test("the status line shows the cost of each request, also a long one, and the same after the thread is resumed", async () => {
  const answer = (input: number, cached: number) => ({
    items: [{ text: `answered ${input}` }],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached, cache_write_tokens: input - cached },
      output_tokens: 2000,
      total_tokens: input + 2000,
    },
  });
  const config = `[models.gpt-5-codex]\nprovider = "test"\n[models.gpt-5-codex.price]\ninput = 2\ncached_input = 0.1\ncache_write = 2.5\noutput = 10
long = { above = 272_000, input = 4, cached_input = 0.2, cache_write = 5, output = 15 }
[tui]\nstatus_line = ["cost"]\n`;
  await using world = await openTerminalWorld({ turns: [answer(200_000, 0), answer(300_000, 200_000)] });
  await appendFile(join(world.home, ".codex/config.toml"), config);
  const seat = world.start({ prompt: "one" });
  await seat.shows("answered 200000");
  await seat.shows("$0.520");
  seat.type(`two${keys.enter}`);
  await seat.shows("$1.09"); // 0.52, and 0.04 + 0.5 + 0.03
  await seat.leave();
  const second = world.start({ from: { name: "last", all: false, copiedTurns: null } });
  await second.shows("$1.09");
  expect(second.screen().join("\n")).toContain("answered 300000");
});
