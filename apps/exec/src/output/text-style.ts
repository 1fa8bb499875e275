import { styleText } from "node:util";

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
