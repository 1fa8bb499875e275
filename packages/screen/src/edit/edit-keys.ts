import type { Motion } from "./motion.ts";

/** An edit that a key makes: Emacs keys and the keys that people know from elsewhere. */
export type EditAction =
  | { readonly type: "move"; readonly motion: Motion }
  | { readonly type: "delete"; readonly motion: Motion }
  /** Deletes, and keeps what was deleted for `yank`. */
  | { readonly type: "kill"; readonly motion: Motion }
  | { readonly type: "yank" | "yank-older" | "undo" | "redo" | "newline" };

/** The action of a key by its name; null for a key that does nothing to a text. */
export function findEditAction(name: string): EditAction | null {
  return actions.get(name) ?? null;
}

function move(motion: Motion): EditAction {
  return { type: "move", motion };
}

function kill(motion: Motion): EditAction {
  return { type: "kill", motion };
}

const table: ReadonlyArray<readonly [action: EditAction, names: readonly string[]]> = [
  [move("left"), ["left", "ctrl+b"]],
  [move("right"), ["right", "ctrl+f"]],
  [move("word-left"), ["alt+left", "ctrl+left", "alt+b"]],
  [move("word-right"), ["alt+right", "ctrl+right", "alt+f"]],
  [move("line-start"), ["home", "ctrl+a", "super+left"]],
  [move("line-end"), ["end", "ctrl+e", "super+right"]],
  [move("text-start"), ["ctrl+home", "alt+<", "super+up"]],
  [move("text-end"), ["ctrl+end", "alt+>", "super+down"]],
  [{ type: "delete", motion: "left" }, ["backspace", "shift+backspace", "ctrl+h"]],
  [{ type: "delete", motion: "right" }, ["delete", "shift+delete", "ctrl+d"]],
  [kill("word-left"), ["alt+backspace", "ctrl+backspace", "ctrl+alt+h"]],
  [kill("blank-left"), ["ctrl+w"]],
  [kill("word-right"), ["alt+d", "alt+delete", "ctrl+delete"]],
  [kill("line-start"), ["ctrl+u", "super+backspace"]],
  [kill("line-end"), ["ctrl+k"]],
  [{ type: "yank" }, ["ctrl+y"]],
  [{ type: "yank-older" }, ["alt+y"]],
  [{ type: "undo" }, ["ctrl+_", "ctrl+/", "ctrl+shift+_", "ctrl+shift+-", "super+z"]],
  [{ type: "redo" }, ["alt+_", "alt+/", "alt+shift+_", "alt+shift+-", "super+shift+z"]],
  [{ type: "newline" }, ["shift+enter", "alt+enter", "ctrl+j"]],
];

const actions: ReadonlyMap<string, EditAction> = new Map(
  table.flatMap(([action, names]) => names.map((name) => [name, action] as const)),
);
