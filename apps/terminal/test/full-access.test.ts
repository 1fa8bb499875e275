import { expect, test } from "vitest";
import { keys, openTerminalWorld } from "./terminal-world.ts";

test.each(["/sandbox danger-full-access", "/permissions full"])("%s asks for a second confirmation", async (line) => {
  await using world = await openTerminalWorld({ config: 'approval_policy = "on-request"\nsandbox_mode = "read-only"' });
  const seat = world.start({}, { columns: 120, rows: 30 });
  await seat.shows("read-only · ask on-request");
  seat.type(`${line}${keys.enter}`);
  await seat.shows("Turn the sandbox off?");
  expect(seat.screen().join("\n")).toContain("Commands can then do everything that you can");
  await seat.pass(1000);
  seat.type(keys.enter); // "no" is selected
  await seat.shows("Nothing was changed.");
  expect(seat.screen().join("\n")).toContain("read-only · ask on-request");
  seat.type(`${line}${keys.enter}`);
  await seat.shows("Turn the sandbox off?");
  await seat.pass(1000);
  seat.type("y");
  await seat.shows("danger-full-access · ask");
  seat.type(`/sandbox danger-full-access${keys.enter}`); // it is set already
  await seat.shows("Sandbox: danger-full-access");
});
