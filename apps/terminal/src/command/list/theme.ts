import { chooseNamed, listNames } from "../choose-named.ts";
import type { TerminalCommand, ThemeName } from "../terminal-command.ts";

const themes: readonly { readonly value: ThemeName; readonly description: string }[] = [
  { value: "auto", description: "match the terminal's background" },
  { value: "dark", description: "for a dark background" },
  { value: "light", description: "for a light background" },
  { value: "plain", description: "no colors" },
];

export const themeCommand: TerminalCommand = {
  name: "theme",
  description: "choose the colors",
  argument: listNames(themes),
  choices: () => themes,
  timing: "always",
  isHarmless: true,
  async run(context, argument) {
    const found = await chooseNamed(context, argument, { title: "Which colors?", noun: "theme", options: themes });
    if (found === null) return;
    context.chooseTheme(found.value);
    context.tell(`Colors: ${found.value} (${found.description}). To keep them: /config tui.theme=${found.value}`);
  },
};
