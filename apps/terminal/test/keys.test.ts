import { chmod, mkdir, mkdtempDisposable, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { toRowText } from "@unroll/screen";
import { notify, type NotifyOptions } from "../src/device/notify.ts";
import { renderUi } from "../src/inline/render-ui.ts";
import { initialUi } from "../src/inline/ui-state.ts";
import { dotPng, keys, openTerminalWorld, readSent } from "./terminal-world.ts";

const ready = "gpt-5-codex";
const [ctrlD, ctrlS, ctrlV] = ["\u0004", "\u0013", "\u0016"];
const slow = { call: "exec_command", arguments: { cmd: "until [ -e go ]; do sleep 0.02; done" } };

test("escape twice in an empty line goes back to an earlier message, and ^D leaves", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({ prompt: "alpha" });
  await seat.shows("tokens:");
  seat.type(keys.escape);
  seat.type(keys.escape); // at once: how long the machine takes in between is not ours to say
  await seat.shows("Go back to before");
  await seat.pass(1000);
  seat.type(keys.escape);
  await seat.hides("Go back to before");
  seat.type(ctrlD);
  expect(await seat.exitCode).toBe(0);
  expect(world.model.requests).toHaveLength(1);
});

test("Shift+Tab goes through reading, editing, planning and full access, which asks first", async () => {
  await using world = await openTerminalWorld({ config: 'approval_policy = "on-request"\nsandbox_mode = "read-only"' });
  const seat = world.start({}, { columns: 120, rows: 24 });
  const shiftTab = "\u001b[Z";
  await seat.shows("read-only · ask on-request");
  for (const [mode, status] of [
    ["edit", "workspace-write · ask on-request"],
    ["plan", "plan: read-only · ask on-request"],
  ] as const) {
    seat.type(shiftTab);
    await seat.shows(`Mode: ${mode} (`);
    seat.type("x\u007f"); // any key brings the status line back
    await seat.shows(status);
  }
  seat.type(shiftTab);
  await seat.shows("Turn the sandbox off?");
  await seat.pass(1000);
  seat.type(keys.escape);
  await seat.shows("Mode: read-only (");
  seat.type(shiftTab);
  await seat.shows("Mode: edit (");
  seat.type(shiftTab);
  await seat.shows("Mode: plan (");
  seat.type(shiftTab);
  await seat.shows("Turn the sandbox off?");
  await seat.pass(1000);
  seat.type("y");
  await seat.shows("Mode: full (");
  seat.type("x");
  await seat.shows("danger-full-access · ask on-request");
  expect(world.model.requests).toHaveLength(0);
});

test("Shift+Tab works during a turn, and what was typed stays", async () => {
  await using world = await openTerminalWorld({
    config: 'approval_policy = "on-request"\nsandbox_mode = "read-only"',
    turns: [{ items: [slow] }, { items: [{ text: "seen" }] }],
  });
  const seat = world.start({ prompt: "wait" }, { columns: 120, rows: 24 });
  await seat.shows("until [ -e go ]");
  seat.type("and then");
  await seat.shows("› and then");
  seat.type("\u001b[Z");
  await seat.shows("Mode: edit (");
  expect(seat.screen().join("\n")).toContain("› and then");
  await writeFile(join(world.work, "go"), "");
  await seat.shows("seen");
});

test("^S in an empty line sends the first that waits into the turn", async () => {
  await using world = await openTerminalWorld({ turns: [{ items: [slow] }, { items: [{ text: "seen" }] }] });
  const seat = world.start({ prompt: "wait" });
  await seat.shows("until [ -e go ]");
  seat.type(`ginger${keys.enter}`);
  await seat.shows("queued: ginger");
  seat.type(`lemon${keys.enter}`);
  await seat.shows("queued: lemon");
  seat.type(ctrlS);
  await seat.shows("goes in with the next request: ginger");
  expect(seat.screen().join("\n")).toContain("queued: lemon");
  await writeFile(join(world.work, "go"), "");
  await seat.shows("all finished");
  const said = world.model.requests.map(readSent).map((sent) => [sent.includes("ginger"), sent.includes("lemon")]);
  expect(said).toEqual([
    [false, false],
    [true, false],
    [true, true],
  ]);
});

test("^V reads the clipboard's picture with a tool that no project can have planted, and reports an empty clipboard", async () => {
  await using tools = await mkdtempDisposable("/var/tmp/unroll-clipboard-test-");
  const planted = join(tools.path, "node_modules/.bin");
  await mkdir(planted, { recursive: true });
  await writeFile(join(planted, "xclip"), `#!/bin/sh\ntouch '${tools.path}/planted'\n`, { mode: 0o755 });
  await writeFile(join(tools.path, "dot.png"), Buffer.from(dotPng, "base64"));
  const tool = join(tools.path, "xclip");
  await writeFile(tool, `#!/bin/sh\n[ ! -e '${tools.path}/empty' ] && cat '${tools.path}/dot.png'\n`);
  await chmod(tool, 0o755);
  await using world = await openTerminalWorld({
    env: { DISPLAY: ":0", PATH: `${planted}:${tools.path}:${process.env["PATH"]}` },
  });
  vi.stubEnv("TMPDIR", tools.path);
  onTestFinished(() => void vi.unstubAllEnvs());
  const listPictures = async (): Promise<readonly string[]> =>
    (await readdir(tools.path)).filter((name) => name.startsWith("unroll-image-"));
  const seat = world.start();
  await seat.shows(ready);
  seat.type(ctrlV);
  await seat.shows("› [image 1]");
  expect(await listPictures()).toHaveLength(1);
  await expect(stat(join(tools.path, "planted"))).rejects.toThrow("ENOENT");
  await writeFile(join(tools.path, "empty"), "");
  seat.type(ctrlV);
  await seat.shows("The clipboard has no picture");
  seat.type(`what is it?${keys.enter}`);
  await seat.shows("all finished");
  expect(readSent(world.model.requests[0]).split(`base64,${dotPng}`)).toHaveLength(2);
  seat.type(ctrlD);
  await seat.exitCode;
  expect(await listPictures()).toEqual([]);
});

test("a signal gives the terminal back, stops the turn and keeps the thread", async () => {
  await using world = await openTerminalWorld({ turns: [{ items: [slow] }] });
  const seat = world.start({ prompt: "wait" });
  await seat.shows("until [ -e go ]");
  await seat.leave();
  await seat.shows("To continue: unroll resume ");
  expect(seat.bytes().slice(seat.bytes().lastIndexOf("\u001b[?2004l"))).not.toContain("\u001b[?2004h");
  const again = world.start({ from: { name: "last", all: false, copiedTurns: null } });
  await again.shows("Resumed thread");
  await again.shows("The turn was interrupted");
});

test("nothing moves by itself when animations are off", () => {
  const rows = (at: number, isAnimated: boolean): readonly string[] => {
    const state = { ...initialUi, work: { type: "running", since: 0, isStopping: false } } as const;
    const facts = { size: { columns: 60, rows: 20 }, live: [], status: null };
    return renderUi(state, { ...facts, at, isAnimated }).flatMap((part) => part.rows.map(toRowText));
  };
  expect(rows(5000, false)).toEqual(rows(60_000, false));
  expect(rows(5000, false)).toContain("• working (Esc to stop)");
  expect(rows(5000, true)).not.toEqual(rows(60_000, true));
});

test("a person is called in the way that the terminal takes", () => {
  const sent = (method: NotifyOptions["method"], env: NotifyOptions["env"] = {}): string => {
    let written = "";
    const message = { type: "agent-turn-complete", threadId: "t", message: "Done;\u0007 all\n of it" } as const;
    notify(message, { program: [], method, env, cwd: "/", send: (bytes) => void (written += bytes) });
    return written;
  };
  const text = "Done \\u{7} all of it";
  expect([
    sent("osc9"),
    sent("osc777"),
    sent("bell"),
    sent("off"),
    sent("auto"),
    sent("auto", { TERM: "xterm-kitty" }),
    sent("auto", { TERM_PROGRAM: "WezTerm" }),
    sent("auto", { TERM_PROGRAM: "WezTerm", TMUX: "/tmp/tmux" }),
  ]).toEqual([
    `\u001b]9;${text}\u0007`,
    `\u001b]777;notify;unroll;${text}\u0007`,
    "\u0007",
    "",
    "\u0007",
    `\u001b]9;${text}\u0007`,
    `\u001b]9;${text}\u0007`,
    "\u0007",
  ]);
});

test("what a person is called with is a program of theirs, when they are asked, too", async () => {
  await using world = await openTerminalWorld({
    config:
      'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"\nnotify = ["sh", "-c", "printf %s \\"$0\\" > told.json"]',
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: "touch made.txt" } }] }],
  });
  const seat = world.start({ prompt: "make it" });
  await seat.shows("Run this command?");
  const told = (): Promise<string> => readFile(join(world.work, "told.json"), "utf8").catch(() => "");
  await expect.poll(told).toContain('"type":"approval-requested"');
});

test("if the home folder cannot be written, an error suggests a fix, and your message stays on the screen and in the history", async () => {
  await using world = await openTerminalWorld({
    homeFiles: { ".codex/sessions": "in the way", ".codex/history.jsonl/in-the-way": "" },
  });
  const seat = world.start();
  await seat.shows(ready);
  seat.type(`alpha${keys.enter}`);
  await seat.shows("--ephemeral");
  expect(seat.screen().join("\n")).toContain("Your message is in the history (press Up)");
  await seat.shows("What should I work on?");
  seat.type(keys.up);
  await seat.hides("What should I work on?");
  expect(seat.screen().join("\n")).toMatch(/› alpha[^]*› alpha/);
  expect(world.model.requests).toHaveLength(0);
});

test.each([
  ["before", "\u001b\u001b[5;3R"],
  ["behind", "\u001b[5;3R\u001b"],
])("Esc leaves a dialog although the terminal's answer comes %s it in one chunk", async (_, bytes) => {
  await using world = await openTerminalWorld();
  const seat = world.start();
  await seat.shows(ready);
  seat.type(`/approvals${keys.enter}`);
  await seat.shows("When should you be asked?");
  await seat.pass(1000);
  seat.type(bytes);
  await seat.hides("When should you be asked?");
  expect(world.model.requests).toEqual([]);
});

test("a question mark in an empty line shows the keys, and is text in any other", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({}, { columns: 100, rows: 40 });
  await seat.shows(ready);
  seat.type("?");
  await seat.shows("Shift+Tab");
  await seat.shows("these keys (in an empty line)");
  expect(seat.screen().join("\n")).not.toContain("/undo-compact");
  seat.type("why?");
  await seat.shows("› why?");
});

test.each([
  { terminal: "that answers kitty's keyboard protocol", reply: "\u001b[?1u", isShown: true },
  { terminal: "with xterm's modifyOtherKeys", reply: "\u001b[>4;1m", isShown: true },
  { terminal: "without modifyOtherKeys", reply: "\u001b[>4;0m", isShown: false },
  { terminal: "that answers neither", reply: "", isShown: false },
])("the help of a terminal $terminal shows Shift+Enter where it works", async ({ reply, isShown }) => {
  await using world = await openTerminalWorld();
  const seat = world.start({}, { columns: 100, rows: 40 });
  await seat.shows(ready);
  if (reply !== "") seat.type(reply);
  seat.type("?");
  await seat.shows(`${isShown ? "Alt+Enter, Shift+Enter, ^J" : "Alt+Enter, ^J"} `);
  await seat.shows("\\ Enter");
  expect(seat.screen().join("\n").includes("Shift+Enter")).toBe(isShown);
});

test("a backslash before Enter makes a new line wherever the caret is, and line by line, where ^C throws it away", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start();
  await seat.shows(ready);
  seat.type("one\\three");
  seat.type(...Array.from({ length: 5 }, () => "\u001b[D"));
  await seat.shows("one\\three");
  await seat.pass(1000);
  seat.type(keys.enter);
  seat.type("two ");
  await seat.shows("  two three");
  seat.type(keys.enter);
  await seat.shows("all finished");
  expect(readSent(world.model.requests[0])).toContain("one\\ntwo three");

  const lines = world.start({ plain: true });
  await lines.shows("> ");
  lines.type("thrown\\\n");
  await lines.shows("… ");
  lines.type("\u0003");
  lines.type("four\\\n");
  lines.type("five\n");
  await lines.shows("all finished");
  const sent = readSent(world.model.requests[1]);
  expect([sent.includes("four\\nfive"), sent.includes("thrown")]).toEqual([true, false]);
});
