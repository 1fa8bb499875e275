type StyleName = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** The text in this style. It goes around text that is plain already: see `toShownText`. */
export type TextStyle = (style: StyleName, text: string) => string;

/** As it is: for pipes, and where colours are not wanted. */
export const plainStyle: TextStyle = (_style, text) => text;

/** By escape sequences of ECMA-48 (SGR); every terminal knows these six. */
export const ansiStyle: TextStyle = (style, text) => {
  const [on, off] = codes[style];
  return `\u001b[${on}m${text}\u001b[${off}m`;
};

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** How a thread is shown as text. */
export interface RenderOptions {
  readonly style: TextStyle;
  readonly showReasoning: boolean;
  /** Files in this folder are shown by their relative paths. */
  readonly cwd: string;
}
