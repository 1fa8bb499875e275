import { actionNames, isKeyAction, type KeyAction, keyActions } from "./key-actions.ts";
import { isTextKey, parseKeyName, showKey } from "./key-name.ts";
import { defaultKeymap, type Keymap } from "./keymap.ts";

/** The user's keys of an action, as they are written. Empty: it gets none. */
export interface Binding {
  /** `composer.submit` */
  readonly action: string;
  readonly keys: readonly string[];
}

/** The keymap, or the first binding that cannot be used. `message` follows the binding's name and is a clause without full stop. */
export type CreatedKeymap =
  | { readonly type: "keymap"; readonly keymap: Keymap }
  | { readonly type: "fault"; readonly action: string; readonly message: string };

/** The default keymap with the user's bindings in place of those that they name. */
export function createKeymap(bindings: readonly Binding[]): CreatedKeymap {
  let keymap = defaultKeymap;
  for (const { action, keys } of bindings) {
    if (!isKeyAction(action)) return { type: "fault", action, message: "is not an action" };
    const names: string[] = [];
    for (const written of keys) {
      const name = parseKeyName(written);
      if (name === null) {
        const message = `cannot have the key ${JSON.stringify(written)}: write keys as "ctrl-g", "shift-tab", "page-down" or "f5"`;
        return { type: "fault", action, message };
      }
      const message = findFault(action, name);
      if (message !== null) return { type: "fault", action, message };
      names.push(name);
    }
    if (names.length === 0 && neededActions.has(action))
      return { type: "fault", action, message: "needs a key: without one, there is no way on or out" };
    keymap = { ...keymap, [action]: [...new Set(names)] };
  }
  return findConflict(bindings, keymap) ?? { type: "keymap", keymap };
}

const neededActions: ReadonlySet<KeyAction> = new Set<KeyAction>([
  "composer.submit",
  "chat.cancel",
  "list.accept",
  "list.cancel",
  "pager.close",
]);

/** Contexts whose actions wait for keys at the same time. */
const contextGroups = [
  ["global", "chat", "composer", "editor"],
  ["list", "approval"],
  ["list", "threads"],
  ["pager"],
] as const;

/** Contexts in which keys write text, beside other things. */
const writingContexts: ReadonlySet<string> = new Set([...contextGroups[0], "threads"]);
/** Contexts in which digits are the numbers of options. */
const numberedContexts: ReadonlySet<string> = new Set(contextGroups[1]);

function toContext(action: KeyAction): string {
  return action.slice(0, action.indexOf("."));
}

/** Why the action cannot have the key; null: it can. */
function findFault(action: KeyAction, name: string): string | null {
  const context = toContext(action);
  const key = showKey(name);
  if (writingContexts.has(context) && isTextKey(name) && action !== "composer.toggle_shortcuts")
    return `cannot have the key ${key}, which writes text`;
  if (numberedContexts.has(context) && /^\d$/.test(name))
    return `cannot have the key ${key}, because menus number their options`;
  const isPlain = /^f\d+$|(?:^|\+)\S$/.test(name) && name !== "ctrl+j" && name !== "ctrl+c";
  if (context === "approval" && !isPlain)
    return `cannot have the key ${key}: a question is answered by a letter or a function key, so that no paste and no typed line answers it`;
  return null;
}

/** Two actions on one key, unless they are by default: then they count in different states. */
function findConflict(bindings: readonly Binding[], keymap: Keymap): CreatedKeymap | null {
  for (const { action } of bindings) {
    if (!isKeyAction(action)) continue;
    const others = actionNames.filter((each) => each !== action && areAwaitedTogether(action, each));
    for (const name of keymap[action]) {
      const other = others.find((each) => keymap[each].includes(name) && !sharesKey(action, each));
      if (other !== undefined)
        return {
          type: "fault",
          action,
          message: `has the key ${showKey(name)}, which ${other} has, too: give one of them another key, or [] for none`,
        };
    }
  }
  return null;
}

function areAwaitedTogether(one: KeyAction, other: KeyAction): boolean {
  return contextGroups.some((group) =>
    [one, other].every((action) => group.some((context) => context === toContext(action))),
  );
}

function sharesKey(one: KeyAction, other: KeyAction): boolean {
  const names: readonly string[] = keyActions[other];
  return keyActions[one].some((name) => names.includes(name));
}
