/** Names of keys by what terminals send for them. */

/** The letter that ends a control sequence (`CSI A`, `SS3 P`): xterm, and kitty's protocol where nothing is held. */
export const letterKeys: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  E: "clear",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
  Z: "tab",
};

/** The number before `~` (`CSI 3 ~`): VT220, xterm, rxvt, the Linux console. */
export const numberKeys: Readonly<Record<number, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
};

/** Code points that kitty's protocol gives to keys (`CSI 13 u`); the keypad counts as the keys that it repeats. */
export const codeKeys: Readonly<Record<number, string>> = {
  8: "backspace",
  9: "tab",
  13: "enter",
  27: "escape",
  32: "space",
  127: "backspace",
  57414: "enter",
  57417: "left",
  57418: "right",
  57419: "up",
  57420: "down",
  57421: "pageup",
  57422: "pagedown",
  57423: "home",
  57424: "end",
  57425: "insert",
  57426: "delete",
  57427: "clear",
};

/** The keypad's characters (`CSI 57399 u` is its 0). */
export const keypadText = "0123456789./*-+";
export const keypadFirst = 57399;

/** Names a control character: `ctrl+` and a letter, or a key with a name of its own. */
export function nameControl(code: number): string {
  const own = controlKeys[code];
  if (own !== undefined) return own;
  return code <= 26 ? `ctrl+${String.fromCharCode(code + 96)}` : `ctrl+${String.fromCharCode(code + 64).toLowerCase()}`;
}

const controlKeys: Readonly<Record<number, string>> = {
  0: "ctrl+space",
  9: "tab",
  13: "enter",
  27: "escape",
  31: "ctrl+_",
  127: "backspace",
};

/** The name with what was held; `modifiers` is the parameter of xterm and kitty, 1 + the sum of what is held. */
export function withModifiers(name: string, modifiers: number): string {
  const held = Math.max(0, modifiers - 1);
  const prefix =
    (held & 4 ? "ctrl+" : "") +
    (held & (2 | 32) ? "alt+" : "") +
    (held & 1 ? "shift+" : "") +
    (held & 8 ? "super+" : "");
  return prefix + name;
}
