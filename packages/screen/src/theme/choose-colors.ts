import type { ColorDepth } from "./color.ts";
import type { ColorScheme } from "./theme.ts";

/** The colours that the environment promises: NO_COLOR and FORCE_COLOR (no-color.org, force-color.org), COLORTERM, TERM. */
export function chooseColorDepth(environment: Readonly<Record<string, string | undefined>>): ColorDepth {
  const { NO_COLOR: none, FORCE_COLOR: forced, COLORTERM: colorTerm = "", TERM: term = "" } = environment;
  if (forced === "0" || forced === "false" || (none !== undefined && none !== "")) return "none";
  if (forced === "3") return "truecolor";
  if (forced === "2") return "256";
  if (/truecolor|24bit/i.test(colorTerm) || /direct|kitty|ghostty|wezterm|alacritty|foot/.test(term))
    return "truecolor";
  if (environment["WT_SESSION"] !== undefined || environment["TERM_PROGRAM"] === "iTerm.app") return "truecolor";
  if (/256/.test(term) || environment["TERM_PROGRAM"] === "Apple_Terminal") return "256";
  return term === "dumb" || (term === "" && forced === undefined) ? "none" : "16";
}

/** Whether the background is dark: by the terminal's own answer (OSC 11; each channel 0 to 1), or by COLORFGBG, or it is taken for dark. */
export function chooseColorScheme(
  background: { readonly red: number; readonly green: number; readonly blue: number } | null,
  colorFgBg: string | undefined,
): ColorScheme {
  if (background !== null) {
    return 0.299 * background.red + 0.587 * background.green + 0.114 * background.blue > 0.5 ? "light" : "dark";
  }
  const ansi = Number(colorFgBg?.split(";").at(-1) ?? Number.NaN);
  return ansi === 7 || ansi === 15 ? "light" : "dark";
}
