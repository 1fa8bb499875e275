import { expect, test } from "vitest";
import { builtInCommands } from "../src/command/commands.ts";
import { findChoices } from "../src/command/find-choices.ts";
import { keys, openTerminalWorld } from "./terminal-world.ts";

const ready = "gpt-5-codex";

test("the list below the line offers what a command's argument may be, and Tab completes it", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({}, { columns: 90, rows: 24 });
  await seat.shows(ready);
  seat.type("/effort h");
  await seat.shows("› high");
  seat.type(keys.tab);
  await seat.hides("for hard work; slower");
  seat.type(keys.enter);
  await seat.shows("Effort: high, from the next request on.");
  seat.type("/permissions ");
  await seat.shows("read  reads files; asks before anything else");
  expect(seat.screen().filter((row) => row.startsWith("  › "))).toEqual([]); // nothing is chosen yet: Enter asks
  seat.type(keys.enter);
  await seat.shows("What may the model do?");
  await seat.pass(1000);
  seat.type(keys.escape);
  await seat.hides("What may the model do?");
  seat.type("/model cod");
  await seat.shows("    gpt-5-codex  272k tokens; effort low [medium] high");
  seat.type(keys.enter);
  await seat.shows("Model: cod, from the next request on."); // any name may be typed: only what you select is completed
});

test("Enter takes the selected argument first, and sends the command when it is pressed again", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({}, { columns: 90, rows: 24 });
  await seat.shows(ready);
  for (const key of "/mode r") seat.type(key);
  seat.type(keys.enter);
  await seat.shows("› /mode read-only");
  expect(seat.screen().join("\n")).not.toContain("Mode: read-only");
  seat.type(keys.enter);
  await seat.shows("Mode: read-only");
  seat.type("/theme ");
  await seat.shows("match the terminal's background");
  seat.type("\u001b[B\u001b[B");
  await seat.shows("  › dark");
  seat.type(keys.escape);
  await seat.hides("  › dark");
  await seat.shows("› /theme");
});

test("a long list says which of how many it shows, and grows with the screen", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({}, { columns: 100, rows: 24 });
  await seat.shows(ready);
  seat.type("/");
  await seat.shows(`1 to 8 of ${builtInCommands.length}`);
  seat.resize(100, 60);
  await seat.shows(`1 to 20 of ${builtInCommands.length}`);
  seat.resize(40, 10);
  await seat.shows(`1 to 4 of ${builtInCommands.length}`);
  expect(seat.screen().join("\n")).toContain("› /help");
});

test("/resume offers the other threads by their names, and writes the id", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({}, { columns: 100, rows: 24 });
  seat.type(`hello${keys.enter}`);
  await seat.shows("all finished");
  seat.type(`/rename nature walk${keys.enter}`);
  await seat.shows("Name: nature walk");
  seat.type(`/new${keys.enter}`);
  await seat.shows("New thread.");
  seat.type("/resume na");
  await seat.shows("    nature walk");
  seat.type(keys.tab);
  await seat.hides("    nature walk");
  seat.type(keys.enter);
  await seat.shows("Resumed thread ");
  await seat.shows("hello");
  expect(world.model.requests).toHaveLength(1);
});

test("choices begin with what is typed, or have a word that does; hidden characters are never offered", () => {
  const all = ["gpt-5-codex", "gpt-oss", "preview", "od\u200bd"].map((value) => ({ value, description: "" }));
  expect(findChoices(all, "gpt").map(({ value }) => value)).toEqual(["gpt-5-codex", "gpt-oss"]);
  expect(findChoices(all, "cod").map(({ value }) => value)).toEqual(["gpt-5-codex"]);
  expect(findChoices(all, "view")).toEqual([]);
  expect(findChoices(all, "o").map(({ value }) => value)).toEqual(["gpt-oss"]);
});
