import { splitGraphemes } from "../width/grapheme.ts";
import type { TextEdit } from "./text-edit.ts";

/** A way from the caret to another place of the text, which needs no layout. */
export type Motion =
  | "left"
  | "right"
  | "word-left"
  | "word-right"
  | "blank-left"
  | "line-start"
  | "line-end"
  | "text-start"
  | "text-end";

/** The offset to which the motion leads. */
export function findTarget(edit: TextEdit, motion: Motion): number {
  const { text, caret } = edit;
  switch (motion) {
    case "left":
      return caret - lengthBefore(text, caret);
    case "right":
      return caret + lengthAfter(text, caret);
    case "word-left":
      return caret - (/[\p{L}\p{N}\p{M}_]*[^\p{L}\p{N}\p{M}_]*$/u.exec(text.slice(0, caret))?.[0].length ?? 0);
    case "word-right":
      return caret + (/^[^\p{L}\p{N}\p{M}_]*[\p{L}\p{N}\p{M}_]*/u.exec(text.slice(caret))?.[0].length ?? 0);
    case "blank-left":
      return caret - (/\S*\s*$/.exec(text.slice(0, caret))?.[0].length ?? 0);
    case "line-start":
      return text.slice(0, caret).lastIndexOf("\n") + 1;
    case "line-end":
      return text.indexOf("\n", caret) < 0 ? text.length : text.indexOf("\n", caret);
    case "text-start":
      return 0;
    case "text-end":
      return text.length;
  }
}

/** No character that people write is longer than this, in UTF-16 units. */
const longestCharacter = 64;

function lengthBefore(text: string, caret: number): number {
  return splitGraphemes(text.slice(Math.max(0, caret - longestCharacter), caret)).at(-1)?.length ?? 0;
}

function lengthAfter(text: string, caret: number): number {
  return splitGraphemes(text.slice(caret, caret + longestCharacter))[0]?.length ?? 0;
}
