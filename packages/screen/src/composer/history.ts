import type { TextEdit } from "../edit/text-edit.ts";
import { cleanInput } from "../edit/clean-input.ts";
import { attachDraft } from "./attach-draft.ts";
import type { Composer, ComposerContext } from "./composer.ts";

/** The entry before (`older`) or behind the one shown; behind the newest comes what was written. Null where there is none. */
export function recall(composer: Composer, context: ComposerContext, way: "older" | "newer"): Composer | null {
  const { mode } = composer;
  const index = (mode.type === "recalling" ? mode.index : -1) + (way === "older" ? 1 : -1);
  const draft: TextEdit = mode.type === "recalling" ? mode.draft : { text: composer.text, caret: composer.caret };
  if (index < -1 || (index === -1 && mode.type !== "recalling")) return null;
  if (index === -1) return { ...composer, ...draft, mode: { type: "writing" }, goal: null, last: null };
  const entry = context.history.at(-1 - index);
  if (entry === undefined || index >= context.history.length) return null;
  const { text, pieces } = attachDraft(composer.pieces, entry);
  return {
    ...composer,
    text,
    pieces,
    caret: text.length,
    mode: { type: "recalling", index, draft },
    goal: null,
    last: null,
    popup: null,
  };
}

export function beginSearch(composer: Composer): Composer {
  const draft = composer.mode.type === "writing" ? { text: composer.text, caret: composer.caret } : composer.mode.draft;
  return {
    ...composer,
    mode: { type: "searching", query: "", index: null, isMissed: false, draft },
    popup: null,
    last: null,
  };
}

/** The next entry that holds the query, from `index` on (0 is the newest), in either direction; where there is none all stays. */
export function searchHistory(
  composer: Composer,
  context: ComposerContext,
  search: { query: string; from: number; by: 1 | -1 },
): Composer {
  const { mode } = composer;
  if (mode.type !== "searching") return composer;
  const { query, by } = search;
  const wanted = query.toLowerCase();
  if (query === "") return { ...composer, ...mode.draft, mode: { ...mode, query, index: null, isMissed: false } };
  for (let index = Math.max(0, search.from); index >= 0 && index < context.history.length; index += by) {
    const entry = context.history.at(-1 - index) ?? { text: "", images: [] };
    if (!cleanInput(entry.text).toLowerCase().includes(wanted)) continue;
    const { text, pieces } = attachDraft(composer.pieces, entry);
    const caret = Math.max(0, text.toLowerCase().indexOf(wanted)); // in a label: at the start
    if (text !== composer.text)
      return { ...composer, text, pieces, caret, mode: { ...mode, query, index, isMissed: false } };
    if (mode.index === index) return { ...composer, caret, mode: { ...mode, query, index, isMissed: false } };
  }
  const isMissed = mode.index === null || !composer.text.toLowerCase().includes(wanted);
  return { ...composer, mode: { ...mode, query, isMissed } };
}

/** Back to what was written before the search. */
export function endSearch(composer: Composer): Composer {
  const { mode } = composer;
  if (mode.type !== "searching") return composer;
  return { ...composer, ...mode.draft, mode: { type: "writing" } };
}
