import type { Role } from "../line/styled-line.ts";
import type { Look, Theme } from "./theme.ts";
import type { Color } from "./color.ts";

/** The themes by name. `dark` and `light` are chosen by the terminal's background where a person names none. */
export const themes: readonly Theme[] = [
  {
    name: "dark",
    scheme: "dark",
    looks: fillLooks({
      accent: rgb(0x7cc7ff, 14),
      person: rgb(0xe6c384, 11),
      success: rgb(0x8fd694, 10),
      warning: rgb(0xf2c55c, 11),
      error: rgb(0xff7b72, 9),
      muted: rgb(0x8b949e, 8),
      code: rgb(0xd2a8ff, 13),
      keyword: rgb(0xff938a, 13),
      string: rgb(0xa5d6a7, 10),
      number: rgb(0xffb86c, 11),
      name: rgb(0xd2a8ff, 12),
      type: rgb(0x7ee0d0, 14),
      addedWord: 0x1f5c33,
      removedWord: 0x7a2a2a,
      selected: 0x2f3b4a,
    }),
  },
  {
    name: "light",
    scheme: "light",
    looks: fillLooks({
      accent: rgb(0x0550ae, 4),
      person: rgb(0x7a4b00, 3),
      success: rgb(0x116329, 2),
      warning: rgb(0x7d4e00, 3),
      error: rgb(0xb3261e, 1),
      muted: rgb(0x5c6570, 8),
      code: rgb(0x6f3cc4, 5),
      keyword: rgb(0xb3261e, 5),
      string: rgb(0x0a5c2d, 2),
      number: rgb(0x8a3f00, 3),
      name: rgb(0x6f3cc4, 4),
      type: rgb(0x00616b, 6),
      addedWord: 0xb5ecc2,
      removedWord: 0xffc9c4,
      selected: 0xd7e6f7,
    }),
  },
  { name: "terminal-dark", scheme: "dark", looks: fillLooks(ownColors(8)) },
  { name: "terminal-light", scheme: "light", looks: fillLooks(ownColors(0)) },
  { name: "high-contrast", scheme: "dark", looks: highContrast() },
];

/** The theme of that name, or null. */
export function findTheme(name: string): Theme | null {
  return themes.find((theme) => theme.name === name) ?? null;
}

interface Palette {
  readonly accent: Look;
  readonly person: Look;
  readonly success: Look;
  readonly warning: Look;
  readonly error: Look;
  readonly muted: Look;
  readonly code: Look;
  readonly keyword: Look;
  readonly string: Look;
  readonly number: Look;
  readonly name: Look;
  readonly type: Look;
  /** Backgrounds as `0xrrggbb`; null where the terminal's own colours are inverted instead. */
  readonly addedWord: number | null;
  readonly removedWord: number | null;
  readonly selected: number | null;
}

function fillLooks(palette: Palette): Record<Role, Look> {
  return {
    muted: palette.muted,
    strong: { isBold: true },
    emphasis: { isItalic: true },
    struck: { isStruck: true },
    heading: { isBold: true, ...palette.accent },
    link: { isUnderlined: true, ...palette.accent },
    code: palette.code,
    quote: { isItalic: true, ...palette.muted },
    accent: palette.accent,
    success: palette.success,
    warning: palette.warning,
    error: palette.error,
    person: palette.person,
    added: palette.success,
    removed: palette.error,
    "added-word": behind(palette.addedWord),
    "removed-word": behind(palette.removedWord),
    selected: behind(palette.selected),
    "code-keyword": palette.keyword,
    "code-string": palette.string,
    "code-number": palette.number,
    "code-comment": { isItalic: true, ...palette.muted },
    "code-name": palette.name,
    "code-type": palette.type,
  };
}

/** With 16 colours or none, a background would swallow the text: what it marks is inverted there. */
function behind(background: number | null): Look {
  return background === null ? { isInverse: true } : { background: { rgb: background } };
}

function rgb(color: number, ansi: number): Look {
  return { color: { rgb: color }, color16: { ansi } };
}

/** The sixteen colours that the person gave the terminal; `bright` is 8 for the bright ones, 0 for the others. */
function ownColors(bright: number): Palette {
  const own = (ansi: number): Look => ({ color: ansiColor(ansi + bright) });
  return {
    accent: own(bright === 0 ? 4 : 6),
    person: own(3),
    success: own(2),
    warning: own(3),
    error: own(1),
    muted: { color: ansiColor(8) },
    code: own(5),
    keyword: own(5),
    string: own(2),
    number: own(3),
    name: own(4),
    type: own(6),
    addedWord: null,
    removedWord: null,
    selected: null,
  };
}

function highContrast(): Record<Role, Look> {
  const looks = fillLooks({ ...ownColors(8), muted: {} });
  return { ...looks, strong: { isBold: true, color: ansiColor(15) }, selected: { isInverse: true, isBold: true } };
}

function ansiColor(ansi: number): Color {
  return { ansi };
}
