import { ansiStyle, plainStyle, type TextStyle } from "./text-style.ts";

/** Whether text is coloured: `auto` asks the terminal and the variables that speak of colour. */
export type ColorMode = "auto" | "always" | "never";

export interface TextOutput {
  readonly isTerminal: boolean;
  /** The variable `NO_COLOR` (no-color.org): any text but an empty one says no; null: it is not set. */
  readonly noColor: string | null;
}

/** `auto`: colours on a terminal, unless `NO_COLOR` says no. */
export function chooseTextStyle(mode: ColorMode, { isTerminal, noColor }: TextOutput): TextStyle {
  const isOn = mode === "always" || (mode === "auto" && isTerminal && (noColor ?? "") === "");
  return isOn ? ansiStyle : plainStyle;
}
