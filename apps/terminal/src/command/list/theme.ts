import type { TerminalCommand, ThemeName } from "../terminal-command.ts";

const themes: readonly { readonly value: ThemeName; readonly description: string }[] = [
  { value: "auto", description: "by the terminal's background" },
  { value: "dark", description: "for a dark background" },
  { value: "light", description: "for a light background" },
  { value: "plain", description: "no colours" },
];

export const themeCommand: TerminalCommand = {
  name: "theme",
  description: "colours, from here on",
  argument: "[auto|dark|light|plain]",
  timing: "always",
  async run({ choose, chooseTheme, tell }, argument) {
    const options = themes.map(({ value, description }) => ({ value, label: value, description }));
    const wish = argument === "" ? await choose({ title: "Colours", options }) : argument;
    const found = themes.find(({ value }) => value === wish);
    if (found !== undefined) {
      chooseTheme(found.value);
      tell(`Colours: ${found.value}, ${found.description}. /config tui.theme=${found.value} keeps it.`);
    } else if (wish !== null) tell(`There is no theme "${wish}": ${themes.map(({ value }) => value).join(", ")}.`);
  },
};
