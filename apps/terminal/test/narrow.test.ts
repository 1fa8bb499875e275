import { expect, test } from "vitest";
import { keys, openTerminalWorld, readSent } from "./terminal-world.ts";

const asks = `approval_policy = "on-request"\nsandbox_mode = "read-only"\n`;

test("at 40 columns, the answer t has a row to write in, and the status line keeps the sandbox", async () => {
  const input = "*** Begin Patch\n*** Add File: tea.txt\n+green\n*** End Patch";
  await using world = await openTerminalWorld({ turns: [{ items: [{ custom: "apply_patch", input }] }], config: asks });
  const seat = world.start({ prompt: "go" }, { columns: 40, rows: 24 });
  await seat.shows("no, and say what to do instead");
  await seat.pass(1000);
  seat.type("t");
  await seat.pass(1000);
  seat.type("write it to cups.txt");
  await seat.shows("     write it to cups.txt");
  expect(seat.screen().findLast((row) => row !== "")).toContain("read-only");
  seat.type(keys.enter);
  await seat.shows("all finished");
  expect(readSent(world.model.requests[1])).toContain("write it to cups.txt");
});

test("paths below your home folder are written with ~, where settings are saved and in /status", async () => {
  await using world = await openTerminalWorld({ config: 'approval_policy = "never"' });
  const seat = world.start({}, { columns: 120, rows: 40 });
  await seat.shows("May I edit files here?");
  await seat.pass(1000);
  seat.type("n");
  await seat.shows("Saved in ~/.codex/config.toml: read-only.");
  await seat.shows("read-only · ask never");
  seat.type(`/status${keys.enter}`);
  await seat.shows("no request yet");
  expect(seat.screen().some((row) => /^\s*config\s+~\/\.codex$/.test(row.trimEnd()))).toBe(true);
  await seat.shows("What should I work on?");
  seat.type(`hello${keys.enter}`);
  await seat.shows("all finished");
  seat.type(`/export ${world.home}/out.md${keys.enter}`);
  await seat.shows("Saved: ~/out.md");
});
