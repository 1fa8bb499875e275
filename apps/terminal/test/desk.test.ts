import { mkdtempDisposable, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openChoice, toRowText } from "@unroll/screen";
import { expect, test } from "vitest";
import { renderUi } from "../src/inline/render-ui.ts";
import { initialUi } from "../src/inline/ui-state.ts";
import { dotPng, keys, openTerminalWorld, readSent } from "./terminal-world.ts";

// Actions at the terminal other than writing, and limits of terminals.

const ready = "gpt-5-codex";
const [ctrlG, ctrlL, ctrlT, lookAway] = ["\u0007", "\u000c", "\u0014", "\u001b[O"];
const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`;

test("^G opens the editor, a shell command, on the line and uses the edited text; a missing editor is reported", async () => {
  await using world = await openTerminalWorld({ env: { EDITOR: "sed -i 's/tea/a coffee/'" } });
  const seat = world.start();
  await seat.shows(ready);
  seat.type("make tea");
  seat.type(ctrlG);
  await seat.shows("› make a coffee");
  expect(seat.screen().join("\n")).not.toContain("make tea");
  await using bare = await openTerminalWorld({ env: { EDITOR: "/sys/nonexistent/editor" } });
  const other = bare.start();
  await other.shows(ready);
  other.type(ctrlG);
  await other.shows("set VISUAL or EDITOR");
});

test("^G hands over the line as it is: blanks at its end, the sign of an own command, a folded paste", async () => {
  await using world = await openTerminalWorld({
    env: { EDITOR: "sed -i -e 's/^tea $/tea with a blank /' -e 's/^!ls$/!ls -l/' -e 's/row 7$/row seven/'" },
  });
  const seat = world.start({}, { columns: 80, rows: 40 });
  await seat.shows(ready);
  seat.type("tea ");
  seat.type(ctrlG);
  await seat.shows("› tea with a blank");
  seat.type("x");
  await seat.shows("› tea with a blank x");
  seat.type(keys.ctrlC);
  await seat.hides("tea with");
  seat.type("!ls");
  seat.type(ctrlG);
  await seat.shows("› !ls -l");
  seat.type(keys.ctrlC);
  seat.type(paste(Array.from({ length: 12 }, (_, row) => `row ${row}`).join("\n")));
  await seat.shows("[pasted 12 lines]");
  seat.type(ctrlG);
  await seat.shows("row seven");
  expect(seat.screen().join("\n")).not.toContain("[pasted 12 lines]");
});

test("^G opens vi where no editor is named", async () => {
  await using folder = await mkdtempDisposable("/var/tmp/unroll-vi-");
  await writeFile(join(folder.path, "vi"), `#!/bin/sh\nprintf 'written in vi\\n' > "$1"\n`, { mode: 0o755 });
  await using world = await openTerminalWorld({ env: { PATH: folder.path } });
  const seat = world.start();
  await seat.shows(ready);
  seat.type(ctrlG);
  await seat.shows("› written in vi");
  expect(seat.screen().join("\n")).toContain("› written in vi");
});

test("^L repaints the screen, whatever other programs wrote over it; the old rows scroll out", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({ prompt: "hello" });
  await seat.shows("tokens:");
  await seat.hides("working");
  seat.type("half a line");
  await seat.shows("› half a line");
  await new Promise<void>((written) => seat.emulator.write("\u001b[2;1HBroadcast message", written));
  expect(seat.screen()[1]).toBe("Broadcast message");
  seat.type(ctrlL);
  await seat.hides("Broadcast message");
  await seat.shows("› half a line");
  expect(seat.screen().slice(0, 2)).toEqual(["", "› half a line"]);
  expect(seat.scrolled().join("\n")).toContain("all finished");
});

test("^T shows all of what was folded, and q gives the screen back as it was", async () => {
  const command = "for at in $(seq 200); do echo line $at; done";
  await using world = await openTerminalWorld({
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: command } }] }],
  });
  const seat = world.start({ prompt: "count" });
  await seat.shows("tokens:");
  const before = seat.screen();
  expect(before.join("\n")).not.toContain("line 185");
  seat.type(ctrlT);
  await seat.shows("Transcript");
  await seat.shows("line 185");
  seat.type("q");
  await seat.hides("Transcript");
  expect(seat.screen()).toEqual(before);
});

test.each([
  ["/approvals", "› 4  never  (current) never asks; denies everything that needs approval"],
  ["/sandbox", "› 3  danger-full-access  (current) no sandbox: commands can do everything that you can"],
  ["/permissions", "› 3  full  (current) no sandbox and no questions; use only where nothing can break"],
])("the menu of %s starts at the value in force, and marks it", async (line, row) => {
  await using world = await openTerminalWorld();
  const seat = world.start({}, { columns: 120, rows: 30 });
  await seat.shows(ready);
  seat.type(`${line}${keys.enter}`);
  await seat.shows(row);
  expect(seat.screen().join("\n")).toContain(row);
});

test("/permissions changes how far commands reach and when one is asked, at once", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({}, { columns: 120, rows: 30 });
  await seat.shows(ready);
  seat.type(`/permissions${keys.enter}`);
  await seat.shows("What may the model do?");
  await seat.pass(1000);
  seat.type("1");
  await seat.shows("Sandbox read-only, approvals on-request");
  expect(seat.screen().join("\n")).toMatch(/gpt-5-codex .*read-only · ask on-request/);
});

test("always for a prefix can be edited, not to another command, and is kept as a rule once it was seen", async () => {
  await using world = await openTerminalWorld({
    config: 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"',
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: "touch made.txt" } }] }],
  });
  const seat = world.start({ prompt: "make it" });
  await seat.shows("Run this command?");
  await seat.pass(1000);
  seat.type("a");
  await seat.hides("will run");
  seat.type("\u0015rm");
  seat.type(keys.enter);
  await seat.shows("The command does not start with this");
  await seat.pass(1000);
  seat.type("a");
  await seat.hides("will run");
  seat.type("\u0015touch");
  seat.type(keys.enter);
  await seat.shows("Save this rule?");
  await seat.pass(1000);
  seat.type("y");
  await seat.shows("all finished");
  const rules = join(world.home, ".codex/rules");
  const [file = ""] = await readdir(rules);
  expect(await readFile(join(rules, file), "utf8")).toContain('pattern=["touch"]');
});

test("of several questions one is shown, with how many are behind it", () => {
  const dialogs = ["one", "two", "three"].map((text, id) => ({
    id,
    choice: openChoice([{ spans: [{ text }], wrap: "words" }], [{ id: "y", key: "y", label: "yes" }]),
  }));
  const facts = { size: { columns: 60, rows: 20 }, at: 0, live: [], status: null, isAnimated: false };
  const shown = renderUi({ ...initialUi, dialogs }, facts).flatMap(({ rows }) => rows.map(toRowText));
  expect(shown).toEqual(["", "one", "› y  yes", "2 more questions after this one", "↑ ↓ to move, Enter to choose"]);
});

test("when a turn ends while you look elsewhere, the terminal and your program notify you", async () => {
  await using world = await openTerminalWorld({
    config: 'notify = ["sh", "-c", "printf %s \\"$0\\" > told.json"]\ntui.notification_method = "osc9"',
  });
  const seat = world.start();
  await seat.shows(ready);
  seat.type(lookAway);
  seat.type(`go${keys.enter}`);
  await seat.shows("all finished");
  await expect.poll(() => seat.bytes()).toContain("\u001b]9;all finished\u0007");
  const told = (): Promise<string> => readFile(join(world.work, "told.json"), "utf8").catch(() => "");
  await expect.poll(told).toContain('"last-assistant-message":"all finished"');
});

test("the path of a picture that is pasted goes along as the picture", async () => {
  await using world = await openTerminalWorld();
  await writeFile(join(world.work, "dot.png"), Buffer.from(dotPng, "base64"));
  const seat = world.start();
  await seat.shows(ready);
  seat.type(paste(join(world.work, "dot.png")));
  await seat.shows("[image 1]");
  seat.type(`what is it?${keys.enter}`);
  await seat.shows("all finished");
  expect(readSent(world.model.requests[0])).toContain(`base64,${dotPng}`);
});

test("a terminal that can do nothing is written to line by line, and one without colours gets none", async () => {
  await using world = await openTerminalWorld({ env: { TERM: "dumb" } });
  const dumb = world.start({ prompt: "hello" });
  await dumb.shows("tokens:");
  expect(dumb.bytes()).not.toContain("\u001b[?2026h");
  expect(dumb.bytes()).not.toMatch(/\[[\d;]+m/); // nor a colour
  await using plain = await openTerminalWorld({ env: { NO_COLOR: "1" } });
  const seat = plain.start({ prompt: "hello" });
  await seat.shows("tokens:");
  const looks = seat
    .bytes()
    .split("\u001b[")
    .flatMap((piece) => /^([\d;]+)m/.exec(piece)?.[1]?.split(";") ?? []);
  expect(looks.filter((look) => /^(?:[349]|10)\d$/.test(look))).toEqual([]);
});

test("in 40 columns an answer, a list and the status line fit", async () => {
  const text =
    "It works, and this sentence is longer than the window.\n\n- first\n- second, which is long enough to wrap";
  await using world = await openTerminalWorld({ turns: [{ items: [{ text }] }] });
  const seat = world.start({ prompt: "does it?" }, { columns: 40, rows: 20 });
  await seat.shows("tokens:");
  await seat.shows("danger-full-access");
  const rows = seat.screen().map((row) => row.trimEnd());
  expect(rows.slice(0, rows.indexOf("• first") + 3)).toEqual([
    "› does it?",
    "",
    "It works, and this sentence is longer",
    "than the window.",
    "",
    "• first",
    "• second, which is long enough to wrap",
    "",
  ]);
});

test("in 40x10 the question about a long patch has the screen, but for a row above it and the status line", async () => {
  const input = `*** Begin Patch\n*** Add File: tea.txt\n${"+leaf\n".repeat(300)}*** End Patch`;
  const world = await openTerminalWorld({
    turns: [{ items: [{ custom: "apply_patch", input }] }],
    config: `approval_policy = "untrusted"\nsandbox_mode = "read-only"\n`,
  });
  await using _ = world;
  const seat = world.start({ prompt: "tea" }, { columns: 40, rows: 10 });
  await seat.shows("more rows (Page Down, End)");
  const rows = seat.screen().map((row) => row.trimEnd());
  expect([rows.indexOf("Change these files?"), rows.findIndex((row) => row.startsWith("… "))]).toEqual([1, 4]);
});

test("in 40 columns completions of long paths show how they begin and end", async () => {
  const folder = "src/components/navigation/sidebar/items";
  await using world = await openTerminalWorld({
    files: { [`${folder}/tea-cup.ts`]: "", [`${folder}/tea-pot.ts`]: "" },
  });
  const seat = world.start({}, { columns: 40, rows: 20 });
  await seat.shows(ready);
  seat.type("@tea");
  await seat.shows("tea-cup.ts");
  await seat.shows("tea-pot.ts");
  expect(seat.screen().filter((row) => row.includes("src/components"))).toHaveLength(2);
});

test("in 40 columns what a key did is shown whole", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({}, { columns: 40, rows: 10 });
  await seat.shows(ready);
  seat.type(paste("leaf\n".repeat(20)));
  await seat.shows("^O shows the pasted text in the line,");
  expect(seat.screen().map((row) => row.trimEnd())).toContain("to edit it.");
});
