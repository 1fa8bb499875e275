import { replaceRange } from "../edit/text-edit.ts";
import { changeText } from "./change-text.ts";
import type { Composer } from "./composer.ts";
import { isStandIn } from "./piece.ts";

/** Shows the folded paste that is nearest to the caret in full, to edit it; one before the caret comes first. Null: there is none. */
export function unfoldPaste(composer: Composer): Composer | null {
  const folded = [...composer.text.matchAll(/\p{Cs}/gu)].flatMap(({ 0: character, index: at }) => {
    const text = findPaste(composer, character);
    return text === null ? [] : [{ at, text }];
  });
  const nearest = folded.findLast(({ at }) => at < composer.caret) ?? folded[0];
  if (nearest === undefined) return null;
  return changeText(composer, replaceRange(composer, { start: nearest.at, end: nearest.at + 1 }, nearest.text));
}

/** The text of the paste that the character stands for; null: it stands for none. */
function findPaste({ pieces }: Composer, character: string): string | null {
  const piece = isStandIn(character) ? pieces.get(character) : undefined;
  return piece?.type === "paste" ? piece.text : null;
}
