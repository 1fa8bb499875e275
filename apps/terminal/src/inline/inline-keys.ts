import { type KeyAction, showFirstKey, showKey } from "@unroll/screen";
import type { HelpEntry } from "../text/render-help.ts";
import type { UiState } from "./ui-state.ts";

interface InlineKey {
  readonly actions: readonly KeyAction[];
  readonly description: string;
  /** How many keys of each action are listed. Absent: one. */
  readonly shown?: number;
}

/** The keys that the help lists, in its order. */
const inlineKeys: readonly InlineKey[] = [
  { actions: ["composer.submit"], description: "send; during a turn: queue for the next turn" },
  { actions: ["composer.steer"], description: "during a turn: send now", shown: 2 },
  { actions: ["editor.insert_newline"], description: "a new line", shown: 3 },
  { actions: ["chat.interrupt_turn"], description: "stop the turn; twice in an empty line: /rewind" },
  { actions: ["chat.cancel"], description: "clear the line; in an empty one: stop the turn, twice: quit" },
  { actions: ["global.quit"], description: "quit (in an empty line)" },
  { actions: ["editor.move_up", "editor.move_down"], description: "earlier inputs, in the first and the last row" },
  { actions: ["chat.edit_queued_message"], description: "take back a queued message (in an empty line)" },
  { actions: ["composer.history_search_previous"], description: "search earlier inputs" },
  { actions: ["composer.complete"], description: "complete a command or a file" },
  { actions: ["global.open_external_editor"], description: "edit in $VISUAL, $EDITOR or vi" },
  { actions: ["composer.unfold_paste"], description: "show a folded paste in the line, to edit it" },
  { actions: ["editor.undo", "editor.redo"], description: "undo; redo" },
  { actions: ["chat.next_permission_mode"], description: "the next mode: read-only, edit, plan, full (asks first)" },
  { actions: ["composer.toggle_shortcuts"], description: "these keys (in an empty line)" },
  { actions: ["global.open_transcript"], description: "show the whole thread with nothing folded" },
  { actions: ["composer.paste_image"], description: "attach the picture in the clipboard" },
  { actions: ["global.clear_terminal", "global.suspend"], description: "repaint; suspend" },
  { actions: ["global.toggle_vim_mode"], description: "switch Vim keys on or off (as /vim)" },
];

const signs: readonly HelpEntry[] = [
  { name: "@file", description: "mention a file" },
  { name: "!command", description: "run a command as you, outside the sandbox (!!command: inside)" },
];

const vimKeys: readonly HelpEntry[] = [
  { name: "Esc (Vim)", description: "leaves insert mode; in normal mode it does what it does without Vim keys" },
  {
    name: "i a I A o O",
    description: "Vim: insert; h j k l w b e 0 ^ $ gg G f t ; , move; v V select; d c y p x r J ~ . u ^R edit",
  },
];

/** Keys that are Enter where the terminal does not tell them from it. */
const likeEnter: ReadonlySet<string> = new Set(["shift+enter", "ctrl+enter"]);

/** The keys in force that work in this terminal, for the help. An action without a key is not listed. */
export function listInlineKeys({ keymap, tellsModifiers, composer }: UiState): readonly HelpEntry[] {
  const isTold = (key: string): boolean => tellsModifiers || !likeEnter.has(key);
  const keys = inlineKeys.flatMap(({ actions, description, shown = 1 }): readonly HelpEntry[] => {
    const names = actions.flatMap((action) => keymap[action].filter(isTold).slice(0, shown).map(showKey));
    return names.length === 0 ? [] : [{ name: names.join(", "), description }];
  });
  const submit = showFirstKey(keymap, "composer.submit");
  const escaped = submit === null ? [] : [{ name: `\\ ${submit}`, description: "a new line, in every terminal" }];
  return [...keys, ...escaped, ...signs, ...(composer.vim === null ? [] : vimKeys)];
}
