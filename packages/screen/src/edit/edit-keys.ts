import type { KeyEvent } from "../key/input-event.ts";
import type { KeyAction } from "../key/key-actions.ts";
import { findAction } from "../key/keymap.ts";
import type { Motion } from "./motion.ts";

/** An edit that a key makes: Emacs keys and the keys that people know from elsewhere. */
export type EditAction =
  | { readonly type: "move"; readonly motion: Motion }
  | { readonly type: "delete"; readonly motion: Motion }
  /** Deletes, and keeps what was deleted for `yank`. */
  | { readonly type: "kill"; readonly motion: Motion }
  | { readonly type: "yank" | "yank-older" | "undo" | "redo" | "newline" };

/** The edit of a key; null for a key that does nothing to a text. */
export function findEditAction(key: KeyEvent): EditAction | null {
  const action = findAction(key, editKeys);
  return action === null ? null : (edits.get(action) ?? null);
}

function move(motion: Motion): EditAction {
  return { type: "move", motion };
}

function kill(motion: Motion): EditAction {
  return { type: "kill", motion };
}

const edits: ReadonlyMap<KeyAction, EditAction> = new Map<KeyAction, EditAction>([
  ["editor.move_left", move("left")],
  ["editor.move_right", move("right")],
  ["editor.move_word_left", move("word-left")],
  ["editor.move_word_right", move("word-right")],
  ["editor.move_line_start", move("line-start")],
  ["editor.move_line_end", move("line-end")],
  ["editor.move_text_start", move("text-start")],
  ["editor.move_text_end", move("text-end")],
  ["editor.delete_backward", { type: "delete", motion: "left" }],
  ["editor.delete_forward", { type: "delete", motion: "right" }],
  ["editor.delete_backward_word", kill("word-left")],
  ["editor.delete_backward_big_word", kill("blank-left")],
  ["editor.delete_forward_word", kill("word-right")],
  ["editor.kill_line_start", kill("line-start")],
  ["editor.kill_line_end", kill("line-end")],
  ["editor.yank", { type: "yank" }],
  ["editor.yank_older", { type: "yank-older" }],
  ["editor.undo", { type: "undo" }],
  ["editor.redo", { type: "redo" }],
  ["editor.insert_newline", { type: "newline" }],
]);
const editKeys = [...edits.keys()];
