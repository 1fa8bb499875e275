import type { Composer } from "./composer.ts";

export function undo(composer: Composer): Composer {
  const before = composer.past.at(-1);
  if (before === undefined) return composer;
  const future = [...composer.future, { text: composer.text, caret: composer.caret }];
  return {
    ...composer,
    ...before,
    past: composer.past.slice(0, -1),
    future,
    mode: { type: "writing" },
    goal: null,
    last: null,
  };
}

export function redo(composer: Composer): Composer {
  const after = composer.future.at(-1);
  if (after === undefined) return composer;
  const past = [...composer.past, { text: composer.text, caret: composer.caret }];
  return {
    ...composer,
    ...after,
    past,
    future: composer.future.slice(0, -1),
    mode: { type: "writing" },
    goal: null,
    last: null,
  };
}
