/** A text and where in it one writes: an offset in UTF-16 units, always between two characters. */
export interface TextEdit {
  readonly text: string;
  readonly caret: number;
}

/** Replaces the text between the offsets with `inserted` and puts the caret behind it. */
export function replaceRange(
  edit: TextEdit,
  range: { readonly start: number; readonly end: number },
  inserted: string,
): TextEdit {
  return {
    text: edit.text.slice(0, range.start) + inserted + edit.text.slice(range.end),
    caret: range.start + inserted.length,
  };
}

export function insertText(edit: TextEdit, inserted: string): TextEdit {
  return replaceRange(edit, { start: edit.caret, end: edit.caret }, inserted);
}
