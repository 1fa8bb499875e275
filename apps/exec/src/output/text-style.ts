import { stripVTControlCharacters, styleText } from "node:util";

export type ColorMode = "auto" | "always" | "never";
type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

export interface TextStyle {
  /** The text in this style, or as it is where colours are off. */
  (style: Style, text: string): string;
}

/** `auto`: colours on a terminal, unless `NO_COLOR` says no. */
export function createTextStyle(mode: ColorMode, isTerminal: boolean, noColor: string | undefined): TextStyle {
  const isOn = mode === "always" || (mode === "auto" && isTerminal && (noColor ?? "") === "");
  return (style, text) => (isOn ? styleText(style, text, { validateStream: false }) : text);
}

/** Text of the model or of a command, with whatever could move the cursor or change the terminal taken out. */
export function toPlainText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what this removes
  return stripVTControlCharacters(text).replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, "");
}
