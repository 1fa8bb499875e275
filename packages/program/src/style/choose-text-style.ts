import { ansiStyle, plainStyle, type TextStyle } from "@unroll/view";
import type { OutputStream, ProcessIo } from "../io/process-io.ts";

export type ColorMode = "auto" | "always" | "never";

/** `auto`: colours on a terminal, unless `NO_COLOR` is set to anything (no-color.org). */
export function chooseTextStyle(mode: ColorMode, output: OutputStream, { env }: Pick<ProcessIo, "env">): TextStyle {
  const isOn = mode === "always" || (mode === "auto" && output.isTerminal && !env["NO_COLOR"]);
  return isOn ? ansiStyle : plainStyle;
}
