import { PassThrough } from "node:stream";
import { createPainter, createScreen, findTheme } from "@unroll/screen";
import { expect, test } from "vitest";
import { createPositionAnswers } from "../src/inline/position-answers.ts";
import { createSettling } from "../src/inline/settle-size.ts";

const dark = findTheme("dark") ?? expect.fail("there is no theme dark");
const question = "\u001b[6n";

/** A window of which the program hears when it asks for the size. */
function openWindow() {
  let [now, columns, told, settled] = [0, 80, 80, 0];
  let timer = { at: 0, run: (): void => {} };
  const clock = {
    elapsed: () => now,
    setTimer(ms: number, run: () => void) {
      const own = (timer = { at: now + ms, run });
      return () => void (own.run = () => {});
    },
  };
  const output = new PassThrough({ encoding: "utf8" });
  const answers = createPositionAnswers(clock);
  const size = (): { columns: number; rows: number } => {
    const isTold = told === columns;
    told = columns;
    if (!isTold) changed();
    return { columns, rows: 24 };
  };
  const changed = createSettling({
    terminal: { size, output },
    clock,
    answers,
    screen: createScreen({
      columns,
      rows: 24,
      painter: createPainter({ theme: dark, colors: "none", hasLinks: false }),
    }),
    isCovered: () => false,
    onSettled: () => void (settled += 1),
  });
  return {
    /** Gives the bytes that were written since the last call. */
    pass: (ms: number): string | null => {
      now += ms;
      if (now >= timer.at) timer.run();
      return output.read() as string | null;
    },
    change: () => void (columns -= 1),
    hear: () => void size(),
    answer: () => answers.answer({ row: 1, column: 1 }),
    settled: () => settled,
  };
}

test("a window that is dragged gets more time than one that changes once, and is asked for its cursor once", () => {
  const { pass, change, hear } = openWindow();
  const drag = (): void => {
    change();
    hear();
  };
  drag();
  expect([pass(59), pass(1)]).toEqual([null, question]);
  drag();
  expect(pass(399)).toBeNull();
  drag();
  expect([pass(399), pass(1)]).toEqual([null, question]);
  expect(pass(1000)).toBeNull();
  drag();
  expect([pass(59), pass(1)]).toEqual([null, question]);
});

test("an answer about a size that the window no longer has settles nothing", () => {
  const { pass, change, hear, answer, settled } = openWindow();
  change();
  hear();
  expect(pass(60)).toBe(question);
  change(); // of which nobody has heard
  answer();
  expect([settled(), pass(400)]).toEqual([0, question]);
  answer();
  expect(settled()).toBe(1);
});
