import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtInCommands } from "../src/command/commands.ts";
import { readText } from "../src/command/read-command.ts";
import { fillPrompt } from "../src/prompt-file/fill-prompt.ts";
import { parsePromptFile } from "../src/prompt-file/parse-prompt-file.ts";
import { keys, openTerminalWorld, readSent } from "./terminal-world.ts";

const ready = "gpt-5-codex";

test("all commands are there, each with what it does", () => {
  expect(builtInCommands.map(({ name }) => name).toSorted()).toEqual(
    (
      "approvals cache compact config context copy diff effort export fork help init logout mcp model new permissions plan ps quit " +
      "resume review rewind sandbox skills status theme transcript undo-compact"
    ).split(" "),
  );
  expect(builtInCommands.filter(({ description }) => description.length < 4)).toEqual([]);
});

test("a text is a command where it begins with the name of one, and else a message", () => {
  const read = (text: string): string => {
    const found = readText(text, builtInCommands);
    return found.type === "command" ? `${found.command.name}(${found.argument})` : found.type;
  };
  expect(
    ["/help", "/compact the tests ", "/etc/hosts is what?", " /help", "/nothing-like-it", "a /help"].map(read),
  ).toEqual(["help()", "compact(the tests)", "message", "message", "unknown", "message"]);
});

test.for([
  ["Mend $1.", 'a.ts "b c"', "Mend a.ts."],
  ["All: $ARGUMENTS; $2", 'a "b c"', 'All: a "b c"; b c'],
  ["For $NAME, $1: $$5", "NAME='Ada L' x", "For Ada L, x: $5"],
  ["Look.", "here", "Look.\n\nhere"],
  ["Look.", "", "Look."],
] as const)("the prompt %j given %j is %j", ([body, argument, text]) => {
  expect(fillPrompt(body, argument)).toEqual({ type: "filled", text });
});

test("a prompt tells which of its named places were left out", () => {
  expect(fillPrompt("$WHO does $WHAT", "WHO=me")).toEqual({ type: "missing", names: ["WHAT"] });
});

test("the head of a prompt file says what it is and what it takes", () => {
  expect(parsePromptFile("---\ndescription: 'x: y'\nargument-hint: FILE\n---\nBody")).toEqual({
    description: "x: y",
    argumentHint: "FILE",
    body: "Body",
  });
  expect(parsePromptFile("no head")).toEqual({ description: null, argumentHint: null, body: "no head" });
});

test("a review shows its findings by priority, and the model gets them with the next message", async () => {
  const finding = { title: "It loses data", body: "Because.", file: "a.ts", line: 3 };
  const review = {
    findings: [
      { ...finding, title: "It is slow", priority: 2 },
      { ...finding, priority: 0 },
    ],
    summary: "Not yet.",
  };
  await using world = await openTerminalWorld({ turns: [{ items: [{ text: JSON.stringify(review) }] }] });
  const seat = world.start({}, { columns: 90, rows: 40 });
  await seat.shows(ready);
  seat.type(`/review uncommitted${keys.enter}`);
  await seat.shows("Not yet.");
  const screen = seat.screen().join("\n");
  expect(screen.indexOf("P0 It loses data")).toBeLessThan(screen.indexOf("P2 It is slow"));
  expect(screen).not.toContain("{");
  seat.type(`mend the first${keys.enter}`);
  await seat.shows("all finished");
  expect(readSent(world.model.requests[1])).toMatch(/It loses data.*mend the first/s);
});

test("a command in the background is listed, followed while it writes, and ended", async () => {
  const script = `echo "ser"ving; until [ -e go ]; do sleep 0.02; done; echo "mo"re; sleep 300`;
  await using world = await openTerminalWorld({
    config: 'shell_tool = "exec_command"',
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: script, yield_time_ms: 300 } }] }],
  });
  const seat = world.start({ prompt: "serve" });
  await seat.shows("all finished");
  seat.type(`/ps${keys.enter}`);
  await seat.shows("Commands in the background");
  await seat.pass(1000);
  seat.type("1");
  await seat.shows("follow it");
  await seat.pass(1000);
  seat.type("1");
  await seat.shows("serving");
  await writeFile(join(world.work, "go"), "");
  await seat.shows("more");
  seat.type("q");
  await seat.hides("· space, b, /, n, q");
  seat.type(`/ps${keys.enter}`);
  await seat.shows("Commands in the background");
  await seat.pass(1000);
  seat.type("1");
  await seat.shows("end it");
  await seat.pass(1000);
  seat.type("2");
  await seat.shows('Ended: echo "ser"ving');
  seat.type(`/ps kill 1${keys.enter}`);
  await seat.shows("No command has this id: kill 1.");
  expect(world.model.requests).toHaveLength(2);
});

test("settings change from the next request on, and the status line shows them", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({}, { columns: 120, rows: 30 });
  await seat.shows(ready);
  for (const [typed, shown] of [
    ["/approvals untrusted", "Approvals: untrusted"],
    ["/sandbox read-only", "Sandbox: read-only"],
    ["/effort high", "Effort: high"],
    ["/approvals sometimes", 'There is no policy "sometimes"'],
  ] as const) {
    seat.type(`${typed}${keys.enter}`);
    await seat.shows(shown);
  }
  expect(seat.screen().join("\n")).toMatch(/gpt-5-codex high.*read-only.*ask untrusted/);
  seat.type(`go${keys.enter}`);
  await seat.shows("all finished");
  expect(world.model.requests[0]?.body["reasoning"]).toMatchObject({ effort: "high" });
});
