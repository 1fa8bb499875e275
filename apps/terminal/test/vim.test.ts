import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keys, openTerminalWorld, readSent } from "./terminal-world.ts";

test("/vim switches Vim keys on, shows the mode, and is remembered", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({}, { columns: 100, rows: 40 });
  await seat.shows("gpt-5-codex");
  seat.type(`/vim${keys.enter}`);
  await seat.shows("Vim keys are on");
  seat.type("one two three");
  await seat.shows("INSERT");
  seat.type(keys.escape);
  await seat.shows("NORMAL");
  seat.type("bcwfour");
  await seat.shows("› one two four");
  seat.type(keys.escape);
  await seat.shows("NORMAL");
  seat.type(keys.enter);
  await seat.shows("all finished");
  expect(readSent(world.model.requests[0])).toContain("one two four");
  expect(await readFile(join(world.home, ".codex/config.toml"), "utf8")).toContain("vim_mode_default = true");
  const again = world.start({}, { columns: 100, rows: 40 });
  await again.shows("INSERT");
  again.type("?");
  await again.shows("leaves insert mode");
  again.type(`/vim${keys.enter}`);
  await again.shows("Vim keys are off");
  await again.hides("INSERT");
  expect(await readFile(join(world.home, ".codex/config.toml"), "utf8")).toContain("vim_mode_default = false");
});

test("Esc in insert mode does not stop the turn, a second one does", async () => {
  const wait = { call: "exec_command", arguments: { cmd: "until [ -e go ]; do sleep 0.02; done" } };
  await using world = await openTerminalWorld({ config: "tui.vim_mode_default = true", turns: [{ items: [wait] }] });
  const seat = world.start({ prompt: "wait" }, { columns: 100, rows: 40 });
  await seat.shows("until [ -e go ]");
  seat.type("a draft");
  await seat.shows("› a draft");
  seat.type(keys.escape);
  await seat.shows("NORMAL");
  expect(seat.screen().join("\n")).toContain("Esc to stop");
  seat.type(keys.escape);
  await seat.shows("interrupted");
  expect(seat.screen().join("\n")).toContain("› a draft");
});
