import { stat } from "node:fs/promises";
import { join } from "node:path";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { expect, test } from "vitest";
import { keys, openTerminalWorld, readSent } from "./terminal-world.ts";

const drivers = [
  { name: "painted", plain: false },
  { name: "line by line", plain: true },
] as const;

test.skipIf(!hasSandbox).each(drivers)(
  "!command runs outside the sandbox and !!command inside it, and each says so, $name",
  async ({ plain }) => {
    await using world = await openTerminalWorld({
      config: 'approval_policy = "on-request"\nsandbox_mode = "read-only"',
    });
    const seat = world.start({ plain });
    await seat.shows("gpt-5-codex");
    seat.type(`!!echo hi > made.txt${keys.enter}`);
    await seat.shows("In the sandbox (read-only):");
    await seat.shows("Read-only file system");
    await seat.shows("The model gets this with your next message.");
    await expect(stat(join(world.work, "made.txt"))).rejects.toThrow("ENOENT");
    const before = seat.bytes().length;
    seat.type(`!echo hi > made.txt && echo wrote it${keys.enter}`);
    await seat.shows("Outside the sandbox, as you:");
    await seat.shows("exit 0");
    await seat.writes("The model gets this with your next message.", before);
    await stat(join(world.work, "made.txt"));
    seat.type(`what happened?${keys.enter}`);
    await seat.shows("all finished");
    const sent = readSent(world.model.requests[0]);
    expect(sent).toContain("$ echo hi > made.txt\\n");
    expect(sent).toContain("$ echo hi > made.txt && echo wrote it\\nwrote it");
  },
);

test("the lines of a script run your own commands, in order with the messages", async () => {
  await using world = await openTerminalWorld();
  const { text, exitCode } = await world.run(["!echo one > a.txt && cat a.txt", "!!cat a.txt", "what is in it?"]);
  expect(exitCode).toBe(0);
  expect(text).toContain("Outside the sandbox, as you:\n$ echo one > a.txt && cat a.txt\n  one\n  exit 0\n");
  expect(text).toContain("In the sandbox (danger-full-access):\n$ cat a.txt\n  one\n  exit 0\n");
  expect(readSent(world.model.requests[0])).toMatch(/one.*cat a.txt\\none.*what is in it/s);
});

test("the output of your own command that is too long to be kept says how many lines are missing", async () => {
  await using world = await openTerminalWorld();
  const seat = world.start({}, { columns: 110, rows: 24 });
  await seat.shows("gpt-5-codex");
  seat.type(`!seq 100000 199999${keys.enter}`);
  await seat.shows("exit 0");
  // of the 64 KiB that are kept, 9,364 lines, of which 11 are shown
  const shown = [...seat.scrolled(), ...seat.screen()].join("\n");
  expect(shown).toContain("… +9,353 lines, ^T shows all; 90,636 more lines were not kept");
});
