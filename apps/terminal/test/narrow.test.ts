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
