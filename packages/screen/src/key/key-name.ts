/** Other words for a key, and for modifiers. */
const aliases: Readonly<Record<string, string>> = {
  esc: "escape",
  return: "enter",
  del: "delete",
  ins: "insert",
  bs: "backspace",
  minus: "-",
  plus: "+",
  control: "ctrl",
  option: "alt",
  meta: "alt",
  cmd: "super",
  command: "super",
};

const namedKeys: ReadonlySet<string> = new Set(
  "enter tab escape space backspace delete insert up down left right home end pageup pagedown".split(" "),
);

const modifiers: readonly string[] = ["ctrl", "alt", "shift", "super"];

/** Keys that most terminals send as another one. */
const sameKeys: Readonly<Record<string, string>> = { "ctrl+m": "enter", "ctrl+i": "tab", "ctrl+[": "escape" };

/** The name in events of a key as people write it: `ctrl-g`, `Shift+Tab`, `page-down`, `?`. Null: it cannot be read. */
export function parseKeyName(written: string): string | null {
  const text = written.trim().replace(/page[-_ ](?=up|down)/i, "page");
  const parts = text.length === 1 ? [text] : text.split(/[-+](?!$)/);
  const [last = "", ...before] = parts.toReversed();
  const held = before.map(toWord);
  if (new Set(held).size < held.length || !held.every((each) => modifiers.includes(each))) return null;
  const [key, isShift] = [toWord(last), held.includes("shift")];
  if (namedKeys.has(key) || /^f([1-9]|1\d|2[0-4])$/.test(key)) return joinName(held, key);
  if (!/^[^\p{C}\s]$/u.test(key)) return null;
  if (held.length > 1 || (held.length === 1 && !isShift)) return joinName(held, key);
  if (!isShift) return aliases[last.toLowerCase()] ?? last;
  return /\p{L}/u.test(key) ? key.toUpperCase() : null; // which sign that is depends on the keyboard
}

function joinName(held: readonly string[], key: string): string {
  const name = [...modifiers.filter((each) => held.includes(each)), key].join("+");
  return sameKeys[name] ?? name;
}

function toWord(text: string): string {
  const lower = text.toLowerCase();
  return aliases[lower] ?? lower;
}

/** Whether the key writes its character. */
export function isTextKey(name: string): boolean {
  return name === "space" || /^.$/u.test(name);
}

const shownKeys: Readonly<Record<string, string>> = {
  escape: "Esc",
  pageup: "Page Up",
  pagedown: "Page Down",
};

/** A key's name as people read it: `^G`, `Shift+Tab`, `Esc`, `Page Down`. */
export function showKey(name: string): string {
  const control = /^ctrl\+(\S)$/.exec(name)?.[1];
  if (control !== undefined) return `^${control.toUpperCase()}`;
  if (isTextKey(name) && name !== "space") return name;
  const parts = name.split(/\+(?!$)/);
  return parts.map((part) => shownKeys[part] ?? part.charAt(0).toUpperCase() + part.slice(1)).join("+");
}
