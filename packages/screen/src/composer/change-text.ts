import type { TextEdit } from "../edit/text-edit.ts";
import { cleanInput } from "../edit/clean-input.ts";
import { attachDraft } from "./attach-draft.ts";
import { addPiece, type Piece } from "./piece.ts";
import { type Composer, type Draft, emptyComposer } from "./composer.ts";
import { insertText } from "../edit/text-edit.ts";

/** So many steps can be undone. */
const maxUndo = 200;

/** Changes the composer's text. It is one step to undo, unless it continues the previous key's edit. */
export function changeText(composer: Composer, edit: TextEdit, last: Composer["last"] = null): Composer {
  const goesOn = last === "typing" && composer.last === "typing" && composer.past.length > 0;
  const before = { text: composer.text, caret: composer.caret };
  return {
    ...composer,
    ...edit,
    mode: { type: "writing" },
    goal: null,
    past: goesOn ? composer.past : [...composer.past.slice(-maxUndo), before],
    future: [],
    last,
    vim: composer.vim && { ...composer.vim, selection: null },
  };
}

export function moveCaret(composer: Composer, caret: number, goal: number | null = null): Composer {
  return { ...composer, caret, goal, last: null };
}

/** A paste of more lines or characters than this is folded. */
const foldedLines = 8;
const foldedLength = 1000;

/** Inserts pasted text at the caret. The composer keeps all of it; a long paste is shown as one label. */
export function pasteText(composer: Composer, pasted: string): Composer {
  const text = cleanInput(pasted);
  if (text === "") return composer;
  const isLong = text.length > foldedLength || text.split("\n").length > foldedLines;
  const added = isLong ? addPiece(composer.pieces, { type: "paste", text }) : null;
  if (added === null) return changeText(composer, insertText(composer, text));
  return { ...changeText(composer, insertText(composer, added.character)), pieces: added.pieces };
}

/** An image, at the caret. */
export function attachPiece(composer: Composer, piece: Piece): Composer {
  const added = addPiece(composer.pieces, piece);
  if (added === null) return composer;
  return { ...changeText(composer, insertText(composer, `${added.character} `)), pieces: added.pieces };
}

/** Replaces the text and puts the caret at its end. */
export function replaceText(composer: Composer, text: string): Composer {
  return replaceDraft(composer, [{ text, images: [] }]);
}

/** Replaces the draft by others, one below the other, for text from an external editor and messages that come back. */
export function replaceDraft(composer: Composer, drafts: readonly Draft[]): Composer {
  let { pieces } = composer;
  const text = drafts
    .map((draft) => {
      const attached = attachDraft(pieces, draft);
      pieces = attached.pieces;
      return attached.text;
    })
    .join("\n\n");
  return { ...changeText(composer, { text, caret: text.length }), pieces, popup: null };
}

/** Nothing written; what was can be brought back by undo. */
export function clearText(composer: Composer): Composer {
  if (composer.text === "")
    return {
      ...emptyComposer,
      kills: composer.kills,
      past: composer.past,
      pieces: composer.pieces,
      vim: composer.vim,
    };
  return { ...changeText(composer, { text: "", caret: 0 }), popup: null, dismissedAt: null };
}
