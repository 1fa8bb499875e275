import type { KeyEvent } from "../key/input-event.ts";
import { findEditAction } from "./edit-keys.ts";
import { findTarget } from "./motion.ts";
import { insertText, replaceRange, type TextEdit } from "./text-edit.ts";

/** A field of one line after a key; null where the key does nothing to it. */
export function pressInField(edit: TextEdit, key: KeyEvent): TextEdit | null {
  if (key.text !== null) return insertText(edit, key.text);
  const action = findEditAction(key);
  if (action === null) return null;
  if (action.type === "move") return { ...edit, caret: findTarget(edit, action.motion) };
  if (action.type !== "delete" && action.type !== "kill") return null;
  const target = findTarget(edit, action.motion);
  return replaceRange(edit, { start: Math.min(target, edit.caret), end: Math.max(target, edit.caret) }, "");
}

/** The part of a field that is seen in `width` cells, so that the caret is, and the caret's cell in it. */
export function scrollField(
  edit: TextEdit,
  width: number,
  measure: (text: string) => number,
): { text: string; column: number } {
  let start = 0;
  while (measure(edit.text.slice(start, edit.caret)) > width - 1)
    start = findTarget({ text: edit.text, caret: start }, "right");
  return { text: edit.text.slice(start), column: measure(edit.text.slice(start, edit.caret)) };
}
