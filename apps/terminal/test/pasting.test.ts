import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dotPng, keys, openTerminalWorld, readSent } from "./terminal-world.ts";

const ready = "gpt-5-codex";
const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const [ctrlG, ctrlO] = ["\u0007", "\u000f"];

test.each([
  ["without the marks of a paste, in one read", [lines.join("\r")]],
  ["without the marks, cut behind a line end", ["line 1\r", `${lines.slice(1).join("\r")}\r`]],
  ["with the marks", [`\u001b[200~${lines.join("\r")}\u001b[201~`]],
])("thirty lines that come %s are one draft, which the next Enter sends", async (_, reads) => {
  await using world = await openTerminalWorld();
  const seat = world.start();
  await seat.shows(ready);
  seat.type(...reads);
  await seat.shows("[pasted ");
  expect(world.model.requests).toHaveLength(0);
  seat.type(keys.enter);
  await seat.shows("all finished");
  expect(world.model.requests).toHaveLength(1);
  expect(readSent(world.model.requests[0])).toContain(lines.join("\\n"));
});

test("one line and Enter in one read is sent, and so is the next", async () => {
  await using world = await openTerminalWorld({ turns: [{ items: [{ text: "first answer" }] }] });
  const seat = world.start();
  await seat.shows(ready);
  seat.type("say hello\r");
  await seat.shows("first answer");
  seat.type("and goodbye\r");
  await seat.shows("all finished");
  expect(world.model.requests.map(readSent).map((sent) => sent.includes("and goodbye"))).toEqual([false, true]);
});

test("keys that come at once do not answer a question", async () => {
  await using world = await openTerminalWorld({
    config: 'approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"',
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: "touch made.txt" } }] }],
  });
  const seat = world.start({ prompt: "make it" });
  await seat.shows("Run this command?");
  await seat.pass(1000);
  for (const pasted of ["yes\r", "y\r", lines.join("\r"), "\r\r"]) {
    seat.type(pasted);
    await seat.pass(1000);
  }
  seat.type("\u001b[B");
  await seat.shows("› s  yes, for this thread");
  expect(world.model.requests).toHaveLength(1);
  await seat.pass(1000);
  seat.type("n");
  await seat.shows("all finished");
  expect(readSent(world.model.requests[1])).not.toContain("exit");
});

test("^O shows a folded paste in the line, where it can be edited", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({}, { columns: 80, rows: 60 });
  await seat.shows(ready);
  seat.type(lines.join("\r"));
  await seat.shows("[pasted 30 lines]");
  await seat.shows("^O shows the pasted text in the line, to edit it.");
  seat.type(ctrlO);
  await seat.shows("  line 30");
  seat.type(` and more${keys.enter}`);
  await seat.shows("all finished");
  expect(readSent(world.model.requests[0])).toContain("line 29\\nline 30 and more");
  seat.type(ctrlO);
  await seat.shows("There is no folded paste in the line.");
});

test("a picture in the line is still attached after ^G, and goes with the edited message", async () => {
  await using world = await openTerminalWorld({ env: { EDITOR: "sed -i 's/^/What is this: /'" } });
  await writeFile(join(world.work, "dot.png"), Buffer.from(dotPng, "base64"));
  const seat = world.start();
  await seat.shows(ready);
  seat.type(`\u001b[200~${join(world.work, "dot.png")}\u001b[201~`);
  await seat.shows("› [image 1]");
  seat.type(ctrlG);
  await seat.shows("› What is this: [image 1]");
  seat.type(keys.enter);
  await seat.shows("all finished");
  const sent = readSent(world.model.requests[0]);
  expect(sent.split(`base64,${dotPng}`)).toHaveLength(2);
  expect(sent).toContain("What is this: [image 1]");
});
