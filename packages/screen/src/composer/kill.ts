import { findTarget, type Motion } from "../edit/motion.ts";
import { insertText, replaceRange } from "../edit/text-edit.ts";
import { changeText } from "./change-text.ts";
import type { Composer } from "./composer.ts";

/** So many kills are kept. */
const maxKills = 30;

/** Deletes up to where the motion leads and keeps it; kills one behind the other are kept as one. */
export function killText(composer: Composer, motion: Motion): Composer {
  const found = findTarget(composer, motion);
  // At the end of a line, or at its start, the line break goes.
  const edge =
    motion === "line-end"
      ? findTarget(composer, "right")
      : motion === "line-start"
        ? findTarget(composer, "left")
        : found;
  const target = found === composer.caret ? edge : found;
  if (target === composer.caret) return composer;
  const range = { start: Math.min(target, composer.caret), end: Math.max(target, composer.caret) };
  const killed = composer.text.slice(range.start, range.end);
  const newest = composer.last === "killing" ? (composer.kills.at(-1) ?? "") : "";
  const joined = target < composer.caret ? killed + newest : newest + killed;
  const older = composer.last === "killing" ? composer.kills.slice(0, -1) : composer.kills;
  const changed = changeText(composer, replaceRange(composer, range, ""), "killing");
  return keepKill({ ...changed, kills: older }, joined);
}

/** Keeps a text as the newest kill. */
export function keepKill<Kept extends Composer>(composer: Kept, text: string): Kept {
  return { ...composer, kills: [...composer.kills, text].slice(-maxKills) };
}

/** Writes the newest kill; `yank-older` right behind it puts the one before in its place. */
export function yankText(composer: Composer, which: "yank" | "yank-older"): Composer {
  const { last, kills } = composer;
  if (which === "yank") {
    const text = kills.at(-1);
    if (text === undefined) return composer;
    return changeText(composer, insertText(composer, text), { yanked: 1, from: composer.caret });
  }
  if (last === null || typeof last === "string" || kills.length === 0) return composer;
  const yanked = (last.yanked % kills.length) + 1;
  const text = kills.at(-yanked) ?? "";
  return changeText(composer, replaceRange(composer, { start: last.from, end: composer.caret }, text), {
    yanked,
    from: last.from,
  });
}
