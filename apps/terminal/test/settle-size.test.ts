import { PassThrough } from "node:stream";
import { createPainter, createScreen, findTheme } from "@unroll/screen";
import { expect, test } from "vitest";
import { createPositionAnswers } from "../src/inline/position-answers.ts";
import { createSettling } from "../src/inline/settle-size.ts";

const dark = findTheme("dark") ?? expect.fail("there is no theme dark");

test("a window that is dragged gets more time than one that changes once, and is asked for its cursor once", () => {
  let now = 0;
  let columns = 80;
  let timer = { at: 0, run: (): void => {} };
  const clock = {
    elapsed: () => now,
    setTimer(ms: number, run: () => void) {
      const own = (timer = { at: now + ms, run });
      return () => void (own.run = () => {});
    },
  };
  const output = new PassThrough({ encoding: "utf8" });
  const changed = createSettling({
    terminal: { size: () => ({ columns, rows: 24 }), output },
    clock,
    answers: createPositionAnswers(clock),
    screen: createScreen({
      columns,
      rows: 24,
      painter: createPainter({ theme: dark, colors: "none", hasLinks: false }),
    }),
    isCovered: () => false,
    onSettled: () => {},
  });
  const pass = (ms: number): string | null => {
    now += ms;
    if (now >= timer.at) timer.run();
    return output.read() as string | null;
  };
  const change = (): void => {
    columns -= 1;
    changed();
  };

  change();
  expect([pass(59), pass(1)]).toEqual([null, "\u001b[6n"]);
  change();
  expect([pass(399), change(), pass(399), pass(1)]).toEqual([null, undefined, null, "\u001b[6n"]);
  expect(pass(1000)).toBeNull();
  change();
  expect([pass(59), pass(1)]).toEqual([null, "\u001b[6n"]);
});
