/**
 * The keys of each action where the user binds no others, by context and action. The first is the one that hints show. Names are those
 * of the Codex CLI's `[tui.keymap]` where it has the action.
 */
export const keyActions = {
  "global.open_transcript": ["ctrl+t"],
  "global.open_external_editor": ["ctrl+g"],
  "global.clear_terminal": ["ctrl+l"],
  "global.suspend": ["ctrl+z"],
  "global.quit": ["ctrl+d"],
  "global.toggle_vim_mode": [],
  "chat.interrupt_turn": ["escape"],
  "chat.cancel": ["ctrl+c"],
  "chat.next_permission_mode": ["shift+tab"],
  "chat.edit_queued_message": ["up"],
  "composer.submit": ["enter"],
  "composer.steer": ["tab", "ctrl+s"],
  "composer.complete": ["tab"],
  "composer.dismiss": ["escape"],
  "composer.toggle_shortcuts": ["?"],
  "composer.history_search_previous": ["ctrl+r"],
  "composer.history_search_next": ["ctrl+s"],
  "composer.paste_image": ["ctrl+v"],
  "composer.unfold_paste": ["ctrl+o"],
  "editor.insert_newline": ["alt+enter", "shift+enter", "ctrl+j"],
  "editor.move_left": ["left", "ctrl+b"],
  "editor.move_right": ["right", "ctrl+f"],
  "editor.move_up": ["up", "ctrl+p"],
  "editor.move_down": ["down", "ctrl+n"],
  "editor.move_word_left": ["alt+left", "ctrl+left", "alt+b"],
  "editor.move_word_right": ["alt+right", "ctrl+right", "alt+f"],
  "editor.move_line_start": ["home", "ctrl+a", "super+left"],
  "editor.move_line_end": ["end", "ctrl+e", "super+right"],
  "editor.move_text_start": ["ctrl+home", "alt+<", "super+up"],
  "editor.move_text_end": ["ctrl+end", "alt+>", "super+down"],
  "editor.delete_backward": ["backspace", "shift+backspace", "ctrl+h"],
  "editor.delete_forward": ["delete", "shift+delete", "ctrl+d"],
  "editor.delete_backward_word": ["alt+backspace", "ctrl+backspace", "ctrl+alt+h"],
  "editor.delete_backward_big_word": ["ctrl+w"],
  "editor.delete_forward_word": ["alt+d", "alt+delete", "ctrl+delete"],
  "editor.kill_line_start": ["ctrl+u", "super+backspace"],
  "editor.kill_line_end": ["ctrl+k"],
  "editor.yank": ["ctrl+y"],
  "editor.yank_older": ["alt+y"],
  "editor.undo": ["ctrl+_", "ctrl+/", "ctrl+shift+_", "ctrl+shift+-", "super+z"],
  "editor.redo": ["alt+_", "alt+/", "alt+shift+_", "alt+shift+-", "shift+super+z"],
  "list.move_up": ["up", "ctrl+p", "shift+tab"],
  "list.move_down": ["down", "ctrl+n", "tab"],
  "list.page_up": ["pageup"],
  "list.page_down": ["pagedown"],
  "list.jump_top": ["home"],
  "list.jump_bottom": ["end"],
  "list.find": ["/"],
  "list.accept": ["enter"],
  "list.cancel": ["escape", "ctrl+c"],
  "approval.approve": ["y"],
  "approval.approve_for_session": ["s"],
  "approval.approve_edits": ["e"],
  "approval.approve_for_prefix": ["a"],
  "approval.deny": ["n"],
  "approval.decline": ["t"],
  "approval.keep_model": ["o"],
  "approval.answer": ["w"],
  "pager.scroll_up": ["up", "k", "ctrl+p"],
  "pager.scroll_down": ["down", "j", "ctrl+n", "enter"],
  "pager.page_up": ["pageup", "b", "ctrl+b", "shift+space"],
  "pager.page_down": ["pagedown", "space", "f", "ctrl+f"],
  "pager.half_page_up": ["u", "ctrl+u"],
  "pager.half_page_down": ["d", "ctrl+d"],
  "pager.jump_top": ["g", "home", "<"],
  "pager.jump_bottom": ["G", "end", ">"],
  "pager.find": ["/"],
  "pager.find_next": ["n"],
  "pager.find_previous": ["N"],
  "pager.close": ["q", "escape", "ctrl+c"],
  "pager.close_transcript": ["ctrl+t"],
} as const;

/** An action that keys can be bound to, such as `composer.submit`. */
export type KeyAction = keyof typeof keyActions;

/** All actions, in the order of the table. */
export const actionNames: readonly KeyAction[] = Object.keys(keyActions).filter(isKeyAction);

/** Whether there is an action of this name. */
export function isKeyAction(name: string): name is KeyAction {
  return Object.hasOwn(keyActions, name);
}
