import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dotPng, keys, openTerminalWorld, readSent } from "./terminal-world.ts";

const ready = "gpt-5-codex";

test("a message that is sent while a turn runs waits, Up returns it to the line, and Tab sends it into the turn", async () => {
  const slow = { call: "exec_command", arguments: { cmd: "until [ -e go ]; do sleep 0.02; done" } };
  await using world = await openTerminalWorld({ turns: [{ items: [slow] }, { items: [{ text: "seen" }] }] });
  const seat = world.start({ prompt: "wait" });
  await seat.shows("until [ -e go ]");
  seat.type(`later${keys.enter}`);
  await seat.shows("queued: later");
  seat.type(keys.up);
  await seat.hides("queued: later");
  seat.type(keys.tab);
  await seat.shows("goes in with the next request: later");
  expect([...seat.scrolled(), ...seat.screen()]).not.toContain("› later");
  await writeFile(join(world.work, "go"), "");
  await seat.shows("seen");
  const text = [...seat.scrolled(), ...seat.screen()].join("\n");
  expect(text).not.toContain("goes in with the next request");
  const places = ["until [ -e go ]", "exit 0", "\n› later\n", "\nseen"].map((each) => text.indexOf(each));
  expect([Math.min(...places) >= 0, places]).toEqual([true, places.toSorted((a, b) => a - b)]);
  expect(readSent(world.model.requests[1])).toContain("later");
  expect(world.model.requests).toHaveLength(2);
});

test("escape stops the turn, and what waited is back in the line", async () => {
  await using world = await openTerminalWorld({
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: "sleep 60" } }] }],
  });
  const seat = world.start({ prompt: "wait" });
  await seat.shows("sleep 60");
  seat.type(`and then${keys.enter}`);
  await seat.shows("queued: and then");
  seat.type(keys.escape);
  await seat.shows("interrupted");
  await seat.shows("› and then");
  expect(world.model.requests).toHaveLength(1);
});

test("a message that was sent into the turn is back in the line on Esc, and the model does not get it", async () => {
  await using world = await openTerminalWorld({
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: "sleep 60" } }] }],
  });
  const seat = world.start({ prompt: "wait" });
  await seat.shows("sleep 60");
  seat.type(`ginger tea${keys.tab}`);
  await seat.shows("goes in with the next request: ginger tea");
  seat.type(keys.escape);
  await seat.shows("interrupted");
  await seat.shows("› ginger tea");
  await seat.hides("goes in with the next request");
  seat.type(keys.ctrlC);
  await seat.shows("What should I work on?");
  seat.type(`lemon${keys.enter}`);
  await seat.shows("all finished");
  expect(readSent(world.model.requests[1])).not.toContain("ginger tea");
});

test("a message that comes back to the line on Esc has its pictures, sent or queued", async () => {
  await using world = await openTerminalWorld({
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: "sleep 60" } }] }],
  });
  await writeFile(join(world.work, "dot.png"), Buffer.from(dotPng, "base64"));
  const seat = world.start({ prompt: "wait" });
  await seat.shows("sleep 60");
  const picture = `\u001b[200~${join(world.work, "dot.png")}\u001b[201~`;
  seat.type(picture, "is it tea?", keys.tab);
  await seat.shows("goes in with the next request: [image 1] is it tea?");
  seat.type(picture, `or milk?${keys.enter}`);
  await seat.shows("queued: [image 1] or milk?");
  seat.type(keys.escape);
  await seat.shows("interrupted");
  await seat.shows("[image 1] is it tea?");
  await seat.shows("[image 2] or milk?");
  seat.type(keys.enter);
  await seat.shows("all finished");
  expect(readSent(world.model.requests[1]).split(`base64,${dotPng}`)).toHaveLength(3);
});

test("a message whose picture cannot be read is back in the line with its label", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start();
  await seat.shows(ready);
  seat.type("\u001b[200~/nowhere/tea.png\u001b[201~", `is it tea?${keys.enter}`);
  await seat.shows("Not sent: ");
  await seat.shows("› [image 1] is it tea?");
  seat.type("\u0001", "\u001b[3~", keys.enter);
  await seat.shows("all finished");
  expect(readSent(world.model.requests[0])).toContain('" is it tea?"');
});

test("line by line, a message goes into the running turn, is shown where the model got it, and comes back on ^C", async () => {
  const slow = { call: "exec_command", arguments: { cmd: "until [ -e go ]; do sleep 0.02; done" } };
  const hanging = { call: "exec_command", arguments: { cmd: "sleep 60" } };
  await using world = await openTerminalWorld({ turns: [{ items: [slow] }, { items: [hanging] }] });
  const seat = world.start({ plain: true });
  await seat.shows("\n> ");
  seat.type("wait\n");
  await seat.shows("until [ -e go ]");
  seat.type("ginger tea\n");
  await seat.shows("(goes in with the next request)");
  await writeFile(join(world.work, "go"), "");
  await seat.shows("$ sleep 60");
  const text = [...seat.scrolled(), ...seat.screen()].join("\n");
  const places = ["until [ -e go ]", "exit 0", "> ginger tea", "$ sleep 60"].map((each) => text.lastIndexOf(each));
  expect([Math.min(...places) >= 0, places]).toEqual([true, places.toSorted((a, b) => a - b)]);
  expect(readSent(world.model.requests[1])).toContain("ginger tea");
  let before = seat.bytes().length;
  seat.type("lemon\n");
  await seat.writes("(goes in with the next request)", before);
  before = seat.bytes().length;
  seat.type(keys.ctrlC);
  await seat.writes("interrupted", before);
  await seat.shows("> lemon");
  seat.type("\n");
  await seat.shows("all finished");
  expect(readSent(world.model.requests[2])).toContain("lemon");
});

test("the output of a command of yours goes to the model, and is not shown as a message of yours", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start();
  await seat.shows(ready);
  seat.type(`!echo hallo${keys.enter}`);
  await seat.shows("The model gets this with your next message.");
  seat.type(`what is it?${keys.enter}`);
  await seat.shows("all finished");
  expect(readSent(world.model.requests[0])).toMatch(/<user_command>.*hallo.*what is it/s);
  expect([...seat.scrolled(), ...seat.screen()].join("\n")).not.toContain("user_command");
});
