import { expect, test } from "vitest";
import { createPositionAnswers } from "../src/inline/position-answers.ts";

test("an answer that comes when nobody waits for it any more is not taken for that to a later question", () => {
  let now = 0;
  let giveUp = (): void => {};
  const setTimer = (_ms: number, run: () => void): (() => void) => {
    giveUp = run;
    return () => {};
  };
  const answers = createPositionAnswers({ elapsed: () => now, setTimer });
  const taken: unknown[] = [];
  const ask = (name: string): void => void answers.ask(100, (position) => taken.push([name, position?.row ?? null]));
  ask("first");
  giveUp();
  ask("second");
  answers.answer({ row: 1, column: 1 });
  answers.answer({ row: 2, column: 1 });
  // One that never comes is not waited for for ever.
  ask("third");
  giveUp();
  now += 5000;
  ask("fourth");
  answers.answer({ row: 4, column: 1 });
  expect(taken).toEqual([
    ["first", null],
    ["second", 2],
    ["third", null],
    ["fourth", 4],
  ]);
});
