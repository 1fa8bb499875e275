import { chooseNamed, listNames } from "../choose-named.ts";
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
  argument: listNames(themes),
  timing: "always",
  async run(context, argument) {
    const found = await chooseNamed(context, argument, { title: "Colours", noun: "theme", options: themes });
    if (found === null) return;
    context.chooseTheme(found.value);
    context.tell(`Colours: ${found.value}, ${found.description}. /config tui.theme=${found.value} keeps it.`);
  },
};
