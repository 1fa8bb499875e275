import type { KeyEvent } from "./input-event.ts";
import { actionNames, type KeyAction, keyActions } from "./key-actions.ts";
import { showKey } from "./key-name.ts";

/** The keys of each action, by their names in events. Empty: the action has no key. */
export type Keymap = Readonly<Record<KeyAction, readonly string[]>>;

/** The keys in force where the user binds none. */
export const defaultKeymap: Keymap = keyActions;

/** The key with what it does in this keymap. */
export function bindKey(key: KeyEvent, keymap: Keymap): KeyEvent {
  return { ...key, actions: findActions(key.name, keymap) };
}

/** Whether the key is bound to the action. A key that no keymap has bound does what it does by default. */
export function does(key: KeyEvent, action: KeyAction): boolean {
  return (key.actions ?? findActions(key.name, defaultKeymap)).has(action);
}

/** The first of these actions that the key is bound to; null: none is. */
export function findAction<Action extends KeyAction>(key: KeyEvent, actions: readonly Action[]): Action | null {
  return actions.find((action) => does(key, action)) ?? null;
}

/** For people: the first key of the action, as `^G` or `Page Down`; null: it has none. */
export function showFirstKey(keymap: Keymap, action: KeyAction): string | null {
  const [first] = keymap[action];
  return first === undefined ? null : showKey(first);
}

const byKeymap = new WeakMap<Keymap, ReadonlyMap<string, ReadonlySet<KeyAction>>>();
const nothing: ReadonlySet<KeyAction> = new Set();

function findActions(name: string, keymap: Keymap): ReadonlySet<KeyAction> {
  const actions = byKeymap.get(keymap) ?? index(keymap);
  byKeymap.set(keymap, actions);
  return actions.get(name) ?? nothing;
}

function index(keymap: Keymap): ReadonlyMap<string, ReadonlySet<KeyAction>> {
  const actions = new Map<string, Set<KeyAction>>();
  for (const action of actionNames)
    for (const name of keymap[action]) actions.set(name, (actions.get(name) ?? new Set()).add(action));
  return actions;
}
