import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keys, openTerminalWorld, type WorldOptions } from "./terminal-world.ts";

const until = { call: "exec_command", arguments: { cmd: "echo made > made; until [ -e go ]; do sleep 0.02; done" } };

/** The titles and stack operations that a terminal gets during a turn that asks a question. */
async function readTitles(config: string): Promise<readonly string[]> {
  const options: WorldOptions = {
    config: `approval_policy = "untrusted"\nsandbox_mode = "danger-full-access"\n${config}`,
    turns: [{ items: [until] }],
  };
  await using world = await openTerminalWorld(options);
  const seat = world.start();
  await seat.shows("gpt-5-codex");
  seat.type(`wait${keys.enter}`);
  await seat.shows("Run this command?");
  await seat.pass(1000);
  seat.type("y");
  await seat.hides("Run this command?");
  await writeFile(join(world.work, "go"), "");
  await seat.shows("all finished");
  await seat.shows("tokens:");
  seat.type(`/quit${keys.enter}`);
  expect(await seat.exitCode).toBe(0);
  // oxlint-disable-next-line no-control-regex -- a terminal's titles are between control characters
  return [...seat.bytes().matchAll(/\u001b\]2;([^\u001b]*)\u001b\\|\u001b\[(2[23];2t)/g)].map(
    ([, title, operation]) => title ?? operation ?? "",
  );
}

test("the terminal's title says whether the program needs you, works or is done, and the earlier one returns", async () => {
  const titles = (await readTitles("")).join(" > ");
  // a fast machine may ask before the first frame of the turn is painted
  expect(titles.replace("unroll: working > unroll: needs you", "unroll: needs you")).toBe(
    "22;2t > unroll > unroll: needs you > unroll: working > unroll: done >  > 23;2t",
  );
});

test("the title names the folder if tui.terminal_title says so, and stays as it is if that is empty", async () => {
  expect(await readTitles('tui.terminal_title = ["project"]')).toEqual(["22;2t", "unroll (work)", "", "23;2t"]);
  expect(await readTitles("tui.terminal_title = []")).toEqual([]);
});
