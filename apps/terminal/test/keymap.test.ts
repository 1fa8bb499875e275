import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { expect, test } from "vitest";
import { actionNames, createKeymap, defaultKeymap, showFirstKey, showKey } from "@unroll/screen";
import { keys, openTerminalWorld, readSent } from "./terminal-world.ts";

const ready = "gpt-5-codex";

test("keys of the config replace those of their actions, in the line, in hints and in the help", async () => {
  await using world = await openTerminalWorld({
    config: `tui.keymap.composer.submit = "ctrl-x"
tui.keymap.global.open_transcript = ["f5", "alt-t"]
tui.keymap.chat.cancel = "ctrl-c"
tui.keymap.global.quit = []
tui.keymap.pager.close = "x"`,
  });
  const seat = world.start({}, { columns: 100, rows: 50 });
  await seat.shows(ready);
  seat.type("?");
  await seat.shows("^X");
  const help = seat.screen().join("\n");
  expect(help).toMatch(/\^X +send;/);
  expect(help).toMatch(/F5 +show the whole thread/);
  expect(help).not.toMatch(/\^T|\^D/);
  seat.type("hello");
  seat.type(keys.enter);
  seat.type(" there");
  await seat.shows("› hello there");
  expect(world.model.requests).toHaveLength(0);
  seat.type("\u0018");
  await seat.shows("all finished");
  expect(readSent(world.model.requests[0])).toContain("hello there");
  seat.type("\u001b[15~");
  await seat.shows("x: close");
  seat.type("q");
  seat.type("x");
  await seat.hides("x: close");
});

test("the keys of a question can be moved, and the old ones do nothing then", async () => {
  await using world = await openTerminalWorld({
    config: `approval_policy = "untrusted"
sandbox_mode = "danger-full-access"
tui.keymap.approval.approve = ["ctrl-y", "f2"]
tui.keymap.list.cancel = "ctrl-e"`,
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: "touch made.txt; echo was run" } }] }],
  });
  const seat = world.start({ prompt: "run it" });
  await seat.shows("Run this command?");
  await seat.pass(1000);
  expect(seat.screen().join("\n")).toContain("› ^Y  yes");
  for (const key of ["y", "\u001b[27u"]) {
    seat.type(key);
    await seat.pass(1000);
  }
  expect(world.model.requests).toHaveLength(1);
  seat.type("\u001bOQ");
  await seat.shows("all finished");
  expect(readSent(world.model.requests[1])).toContain("was run");
});

test("the list of threads and a form have the keys of the config, and show them", async () => {
  const options = ["red", "green"].map((label) => ({ label, description: label }));
  await using world = await openTerminalWorld({
    config: `tui.keymap.threads.sort = "f5"
tui.keymap.threads.delete = []
tui.keymap.threads.archive = "ctrl-a"
tui.keymap.list.cancel = "ctrl-x"`,
    turns: [
      { items: [{ text: "well" }] },
      {
        items: [
          {
            call: "request_user_input",
            arguments: { questions: [{ id: "which", header: "Which", question: "Which one?", options }] },
          },
        ],
      },
    ],
  });
  const seat = world.start({ prompt: "brew tea" }, { columns: 100, rows: 30 });
  await seat.shows("well");
  seat.type(`/new${keys.enter}`);
  await seat.shows("New thread.");
  seat.type(`/resume${keys.enter}`);
  await seat.shows("F5 sort  ^O folders  ^T archived  ^R rename  ^A archive  ^Y copy");
  await seat.pass(1000);
  seat.type("\u0013");
  await seat.pass(1000);
  seat.type("\u001b[15~");
  await seat.shows("Resume: this folder, newest first");
  seat.type("\u0018");
  await seat.hides("newest first");
  seat.type(`ask me${keys.enter}`);
  await seat.shows("Which one?");
  await seat.pass(1000);
  seat.type("w");
  await seat.pass(1000);
  seat.type(keys.enter);
  await seat.shows("leave with ^X.");
  expect(seat.bytes()).not.toMatch(/\^S sort|\^X archive|\^D delete/);
});

test.each([
  ['composer.sumbit = "ctrl-x"', "composer.sumbit is not an action. Actions of composer: submit, steer,"],
  ['compose.submit = "ctrl-x"', "compose.submit is not an action. Contexts: global, chat, composer,"],
  ['composer.submit = "hyper-x"', 'composer.submit cannot have the key "hyper-x"'],
  ['composer.submit = "ctrl-t"', "composer.submit has the key ^T, which global.open_transcript has, too"],
  ['composer.submit = "x"', "composer.submit cannot have the key x, which writes text"],
  ["composer.submit = []", "composer.submit needs a key"],
  ['approval.approve = "enter"', "approval.approve cannot have the key Enter"],
  ['approval.approve = "ctrl-m"', "approval.approve cannot have the key Enter"],
  ['approval.approve = "ctrl-j"', "approval.approve cannot have the key ^J"],
  ['approval.approve = "n"', "approval.approve has the key n, which approval.deny has, too"],
  ['list.accept = "y"', "list.accept has the key y, which approval.approve has, too"],
  ['threads.sort = "s"', "threads.sort cannot have the key s, which writes text"],
  ['threads.copy = "down"', "threads.copy has the key Down, which list.move_down has, too"],
  ['list.move_down = "1"', "list.move_down cannot have the key 1"],
])("[tui.keymap] %s is an error at the start, with its place", async (line, message) => {
  await using world = await openTerminalWorld({ config: `tui.keymap.${line}` });
  const seat = world.start({}, { columns: 300, rows: 24 });
  expect(await seat.exitCode).toBe(5);
  expect(seat.bytes()).toContain(`config.toml:3:1: tui.keymap.${message}`);
});

test("an action that only the Codex CLI has is a warning", async () => {
  await using world = await openTerminalWorld({ config: 'tui.keymap.agents.search = "ctrl-x"' });
  const seat = world.start({}, { columns: 200, rows: 24 });
  await seat.shows("config.toml:3: tui.keymap.agents.search has no effect in unroll.");
  await seat.shows(ready);
  expect(world.model.requests).toEqual([]);
});

test("every action has the keys of the default keymap when the config names them", () => {
  const created = createKeymap([]);
  if (created.type !== "keymap") throw new Error(created.message);
  for (const action of actionNames.filter((name) => created.keymap[name].length > 0)) {
    const keys = created.keymap[action];
    expect([action, createKeymap([{ action, keys }])]).toEqual([action, created]);
    expect(showFirstKey(created.keymap, action)).not.toBe(null);
  }
});

test("the page lists every action with its keys", async () => {
  const page = await readFile(join(import.meta.dirname, "../../../docs/terminal.md"), "utf8");
  const listed = page.split("\n").filter((line) => /^\| `[a-z]+\.[a-z_]+` \|/.test(line));
  const expected = actionNames.map((action) => {
    const keys = defaultKeymap[action].map((key) => `\`${showKey(key)}\``).join(", ");
    return `| \`${action}\` |${keys === "" ? "" : ` ${keys}`} |`;
  });
  expect(listed.map((line) => line.split(" | ").slice(0, -1).join(" | ").concat(" |").replace("| |", "|"))).toEqual(
    expected.map((row) => row.replace("| |", "|")),
  );
});

test.skipIf(!hasSandbox)("with other keys for everything, no text names an old one", async () => {
  const modifiers = ["", "ctrl-", "alt-", "shift-", "ctrl-alt-", "ctrl-shift-", "alt-shift-", "ctrl-alt-shift-"];
  const functionKeys = modifiers.flatMap((held) => Array.from({ length: 12 }, (_, index) => `${held}f${index + 1}`));
  const approvals = actionNames.filter((name) => name.startsWith("approval."));
  const first = ["composer.submit", "list.accept", "pager.close", "global.open_transcript", "chat.interrupt_turn"];
  const others = actionNames.filter((name) => !first.includes(name) && !approvals.includes(name));
  const bindings = [
    ...approvals.map((action, index) => [action, "bcfghijkl"[index]]), // letters or bare function keys answer
    ...[...first, ...others].map((action, index) => [action, functionKeys[index]]),
  ];
  const config = bindings.map(([action, key]) => `tui.keymap.${action} = "${key}"`).join("\n");
  const options = ["red", "green"].map((label) => ({ label, description: label }));
  const questions = [{ id: "which", header: "Which", question: "Which one?", options }];
  await using world = await openTerminalWorld({
    config: `approval_policy = "on-request"\nsandbox_mode = "read-only"\n${config}`,
    turns: [
      { items: [{ call: "request_user_input", arguments: { questions } }] },
      { items: [{ custom: "apply_patch", input: "*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch" }] },
      { items: [{ call: "exec_command", arguments: { cmd: "seq 100; sleep 60" } }] },
    ],
  });
  const seat = world.start({}, { columns: 100, rows: 60 });
  const [enter, choose, close] = ["\u001bOP", "\u001bOQ", "\u001bOR"];
  const [transcript, interrupt] = ["\u001bOS", "\u001b[15~"];
  const type = async (line: string, shown: string): Promise<void> => {
    const before = seat.bytes().length;
    seat.type(line);
    await seat.shows(`› ${line}`);
    seat.type(enter);
    await seat.writes(shown, before);
  };
  await seat.shows(ready);
  await type("/help", "/undo-compact");
  seat.type("/");
  await seat.shows("1 to ");
  seat.type("mode ");
  await seat.shows("the mode after the one in force");
  await seat.pass(1000);
  seat.type("read-only", enter);
  await seat.shows("Mode: read-only (");
  await type("ask me", "Which one?");
  await seat.shows("green"); // the dialog itself
  await seat.pass(1000);
  seat.type(choose);
  await seat.shows("Change these files?");
  await seat.pass(1000);
  seat.type(bindings.find(([action]) => action === "approval.deny")?.[1] ?? "");
  await seat.shows("  100");
  seat.type("and then");
  await seat.shows("› and then");
  seat.type(transcript);
  await seat.shows("F3: close");
  seat.type(close);
  await seat.hides("F3: close");
  seat.type(interrupt);
  await seat.shows("F4 shows all");
  const old = actionNames
    .flatMap((name) => defaultKeymap[name].map(showKey))
    .filter((name) => /^\^.|\+|^(?:Esc|Tab|Enter|Page)/.test(name));
  expect(old).toContain("^T");
  const shown = seat.bytes().replaceAll(/F\d+/g, "");
  expect(old.filter((name) => shown.includes(name))).toEqual([]);
});
