import { expect, test } from "vitest";
import { builtInCommands } from "../src/command/commands.ts";
import { readText } from "../src/command/read-command.ts";
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

test("a command in the background is listed, read and ended", async () => {
  await using world = await openTerminalWorld({
    config: 'shell_tool = "exec_command"',
    turns: [{ items: [{ call: "exec_command", arguments: { cmd: "echo serving; sleep 300", yield_time_ms: 300 } }] }],
  });
  const seat = world.start({ prompt: "serve" });
  await seat.shows("all finished");
  seat.type(`/ps${keys.enter}`);
  await seat.shows("  runs  ");
  const [, id = ""] = /^(\d+)\s+runs/m.exec(seat.screen().join("\n")) ?? [];
  seat.type(`/ps ${id}${keys.enter}`);
  await seat.shows("serving");
  seat.type("q");
  seat.type(`/ps kill ${id}${keys.enter}`);
  await seat.shows("Ended: echo serving");
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
