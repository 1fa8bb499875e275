import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keys, openTerminalWorld, type TerminalWorld } from "./terminal-world.ts";

// Problems that a user found in an hour at the terminal.

const ready = "gpt-5-codex";
const family = "\u{1f469}\u200d\u{1f469}\u200d\u{1f467}";

test("switching threads says which background commands ended", async () => {
  await using world = await openTerminalWorld({
    config: 'shell_tool = "exec_command"',
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: "sleep 300", yield_time_ms: 250 } }] }],
  });
  const seat = world.start({ prompt: "serve" });
  await seat.shows("all finished");
  await seat.shows("tokens:");
  seat.type(`/new${keys.enter}`);
  await seat.shows("Ended with its thread: sleep 300");
  await seat.shows("New thread.");
  expect(world.model.requests).toHaveLength(2);
});

test("/transcript opens all of the thread, as ^T does, and goes to nobody", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({ prompt: "hello" });
  await seat.shows("tokens:");
  seat.type(`/transcript${keys.enter}`);
  await seat.shows("q: close");
  expect(seat.screen().slice(0, 2)).toEqual(["› hello", ""]);
  seat.type("q");
  await seat.hides("q: close");
  expect(world.model.requests).toHaveLength(1);
});

test("a light background is answered by dark colours, by itself and where the person says so", async () => {
  await using world = await openTerminalWorld({ env: { COLORTERM: "truecolor" } });
  const seat = world.start();
  await seat.shows(ready);
  const dark = readMarker(seat);
  seat.type("\u001b]11;rgb:ffff/ffff/ffff\u001b\\");
  await expect.poll(() => readMarker(seat)).not.toBe(dark);
  const light = readMarker(seat);
  seat.type(`/theme dark${keys.enter}`);
  await seat.shows("Colors: dark");
  await expect.poll(() => readMarker(seat)).toBe(dark);
  seat.type(`/theme light${keys.enter}`);
  await seat.shows("Colors: light");
  await expect.poll(() => readMarker(seat)).toBe(light);
  expect([toLightness(light) < 0.5, toLightness(dark) > 0.5]).toEqual([true, true]);
});

/** The colour of what the line begins with. */
function readMarker(seat: ReturnType<TerminalWorld["start"]>): number {
  const { emulator } = seat;
  const row = seat.screen().findLastIndex((text) => text.startsWith("› "));
  const { active } = emulator.buffer;
  return (
    active
      .getLine(active.baseY + row)
      ?.getCell(0)
      ?.getFgColor() ?? -1
  );
}

function toLightness(color: number): number {
  return (0.3 * (color >> 16) + 0.6 * ((color >> 8) & 255) + 0.1 * (color & 255)) / 255;
}

test("an emoji of several is one in what waits and in what can be gone back to", async () => {
  const slow = { call: "exec_command", arguments: { cmd: "until [ -e go ]; do sleep 0.02; done" } };
  await using world = await openTerminalWorld({ turns: [{ items: [slow] }, { items: [{ text: "so far" }] }] });
  const seat = world.start({ prompt: `first ${family}` });
  await seat.shows("until [ -e go ]");
  seat.type(`then ${family}${keys.enter}`);
  await seat.shows("queued: then 👩");
  await writeFile(join(world.work, "go"), "");
  await seat.shows("all finished");
  await seat.hides("working");
  seat.type(`/rewind${keys.enter}`);
  await seat.shows("Go back to before");
  // this terminal joins nothing, and gives each a cell, so two of the family are in its two cells
  const rows = seat.screen().filter((row) => row.includes("turn "));
  expect(rows.map((row) => row.replaceAll("\u200d", ""))).toEqual([
    "› 1  then 👩👩  turn 2",
    "  2  first 👩👩  turn 1",
  ]);
});

test("a file among 30,000 is offered behind @, with what git has of them alone", async () => {
  await using world = await openTerminalWorld();
  const files = Array.from({ length: 30_000 }, (_, at) => `package-${at % 500}/src/part-${at % 37}/file-${at}.ts`);
  const input = files.map((path) => `100644 ${"1".repeat(40)} 0\t${path}\n`).join("");
  const env = { PATH: process.env["PATH"], HOME: world.home };
  execFileSync("git", ["init", "-q"], { cwd: world.work, env });
  execFileSync("git", ["update-index", "--index-info"], { cwd: world.work, env, input });
  const seat = world.start();
  await seat.shows(ready);
  seat.type("see @file-7777");
  await seat.shows("package-277/src/part-7/file-7777.ts");
  seat.type(keys.tab);
  await seat.shows("› see @package-277/src/part-7/file-7777.ts");
  expect(world.model.requests).toEqual([]);
});
