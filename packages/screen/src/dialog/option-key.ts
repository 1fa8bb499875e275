import type { KeyEvent } from "../key/input-event.ts";
import { type KeyAction, keyActions } from "../key/key-actions.ts";
import { showKey } from "../key/key-name.ts";
import { does, type Keymap, showFirstKey } from "../key/keymap.ts";
import type { ChoiceOption } from "./choice.ts";

const approvals = [
  "approval.approve",
  "approval.approve_for_session",
  "approval.approve_edits",
  "approval.approve_for_prefix",
  "approval.deny",
  "approval.decline",
  "approval.keep_model",
  "approval.answer",
] as const satisfies readonly KeyAction[];

/** By the key that the option has by default; the numbers of a menu stand for nothing else. */
const actions: ReadonlyMap<string, KeyAction> = new Map(approvals.map((action) => [keyActions[action][0], action]));

/** Whether the key chooses the option. */
export function isOptionKey({ key: own }: ChoiceOption, key: KeyEvent): boolean {
  const action = own === null ? undefined : actions.get(own);
  return action === undefined ? own === key.name : does(key, action);
}

/** The key of the option for people; null: it has none. */
export function showOptionKey({ key }: ChoiceOption, keymap: Keymap): string | null {
  const action = key === null ? undefined : actions.get(key);
  return action === undefined ? key && showKey(key) : showFirstKey(keymap, action);
}
