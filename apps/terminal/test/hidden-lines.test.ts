import { expect, test } from "vitest";
import { keys, openTerminalWorld, type WorldOptions } from "./terminal-world.ts";

const ready = "gpt-5-codex";
const size = { columns: 110, rows: 50 };
const asks = `approval_policy = "on-request"\nsandbox_mode = "read-only"\n`;

/** Below, at and above what is folded; what an item holds whole; what it does not hold. */
const sizes = [1, 12, 13, 41, 42, 60, 1000, 3000, 20_000];

/** The lines that are shown, and those that the counts name. */
function countAll(rows: readonly string[], line: RegExp): number {
  const text = rows.join("\n");
  const counts = [...text.matchAll(/… \+([\d,]+) lines?|; ([\d,]+) more lines? w|left out here: (\d+) lines/g)];
  const named = counts.map(([, hidden, lost, cut]) => Number((hidden ?? lost ?? cut ?? "").replaceAll(",", "")));
  return rows.filter((row) => line.test(row)).length + named.reduce((sum, count) => sum + count, 0);
}

/** The rows in the scroll from the one with `start` on, to the first with `end`. */
function takeRows(rows: readonly string[], start: string, end: string): readonly string[] {
  const first = rows.findIndex((row) => row.includes(start));
  return rows.slice(
    first + 1,
    rows.findIndex((row, at) => at > first && row.includes(end)),
  );
}

async function play(options: WorldOptions, answer: string | null, shown: string): Promise<readonly string[]> {
  await using world = await openTerminalWorld(options);
  const seat = world.start({ prompt: "go" }, size);
  if (answer !== null) {
    await seat.shows("no, and say what to do instead");
    await seat.pass(1000);
    seat.type(answer);
  }
  await seat.shows(shown);
  await seat.shows("tokens:");
  return [...seat.scrolled(), ...seat.screen()];
}

test.each(sizes)(
  "of a denied patch of %d lines, those that are shown and those that are counted are all of them",
  async (lines) => {
    const text = Array.from({ length: lines }, (_, at) => `+a line of the new file, number ${at}\n`).join("");
    const patch = `*** Begin Patch\n*** Add File: new.txt\n${text}*** End Patch`;
    const turns = [{ items: [{ custom: "apply_patch", input: patch }] }];
    const rows = await play({ turns, config: asks }, "n", "all finished");
    const shown = takeRows(rows, "✗ not changed: 1 file", "all finished");
    expect(countAll(shown, /\+a line of the new file, number \d+$/)).toBe(lines);
  },
);

test.each(sizes)(
  "of %d lines of a command's output, those that are shown and those that are counted are all of them",
  async (lines) => {
    const turns = [
      { items: [{ call: "exec_command", arguments: { cmd: `seq -f 'a line of output, number %g' ${lines}` } }] },
    ];
    const rows = await play({ turns }, null, "all finished");
    const shown = takeRows(rows, "$ seq", "✓ exit 0");
    expect(countAll(shown, /a line of output, number [\d.e+]+$/)).toBe(lines);
  },
);

test.each(sizes)("of %d lines of your own command's output, too", async (lines) => {
  await using world = await openTerminalWorld();
  const seat = world.start({}, size);
  await seat.shows(ready);
  seat.type(`!seq -f 'a line of output, number %.0f' ${lines}${keys.enter}`);
  await seat.shows("✓ exit 0");
  const shown = takeRows([...seat.scrolled(), ...seat.screen()], "$ seq", "✓ exit 0");
  expect(countAll(shown, /a line of output, number \d+$/)).toBe(lines);
});
