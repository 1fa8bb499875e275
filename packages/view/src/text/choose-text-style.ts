import { ansiStyle, plainStyle, type TextStyle } from "./text-style.ts";

/** Whether text is coloured: `auto` asks the terminal and the variables that speak of colour. */
export type ColorMode = "auto" | "always" | "never";

export interface TextOutput {
  readonly isTerminal: boolean;
  /**
   * The environment: `NO_COLOR` (no-color.org) turns colors off unless it is empty, and so does `TERM` if it is `dumb`.
   */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** `auto`: colours on a terminal that knows them, unless `NO_COLOR` says no. */
export function chooseTextStyle(mode: ColorMode, { isTerminal, env }: TextOutput): TextStyle {
  const isWanted = isTerminal && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  const isOn = mode === "always" || (mode === "auto" && isWanted);
  return isOn ? ansiStyle : plainStyle;
}
