import { expect, test } from "vitest";
import { builtInCommands } from "../src/command/commands.ts";
import { keys, openTerminalWorld } from "./terminal-world.ts";

const ready = "gpt-5-codex";

test("Enter completes the start of a command that acts, and runs it only when it is pressed again", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start();
  await seat.shows(ready);
  for (const key of "/undo") seat.type(key);
  seat.type(keys.enter);
  await seat.shows("› /undo-compact");
  expect(seat.screen().join("\n")).not.toContain("Nothing to undo");
  seat.type(keys.enter);
  await seat.shows("Nothing to undo");
});

test("Enter runs the start of a command that only shows or asks something, if it is the start of no other", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({}, { columns: 100, rows: 60 });
  await seat.shows(ready);
  seat.type(`/stat${keys.enter}`);
  await seat.shows("login      ");
  seat.type(`/re${keys.enter}`); // resume, rewind, review, reasoning
  await seat.shows("› /resume");
  expect(seat.screen().join("\n")).not.toContain("There is no other thread");
});

test("a command that only shows or asks is marked as such, and none that acts at once", () => {
  const acting = builtInCommands.filter(({ isHarmless }) => isHarmless !== true).map(({ name }) => name);
  expect(acting.join(" ")).toBe("compact undo-compact new clear fork btw side plan init copy export logout quit exit");
});
