import type { Composer } from "./composer.ts";

export function undo(composer: Composer): Composer {
  return travel(composer, "past", "future");
}

export function redo(composer: Composer): Composer {
  return travel(composer, "future", "past");
}

/** Returns to the newest edit of `from`. The current one is added to `to`. */
function travel(composer: Composer, from: "past" | "future", to: "past" | "future"): Composer {
  const edit = composer[from].at(-1);
  if (edit === undefined) return composer;
  const edits = {
    [from]: composer[from].slice(0, -1),
    [to]: [...composer[to], { text: composer.text, caret: composer.caret }],
  };
  return { ...composer, ...edit, ...edits, mode: { type: "writing" }, goal: null, last: null };
}
