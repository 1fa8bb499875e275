import { renderArgument } from "../render-argument.ts";
import type { TerminalCommand } from "../terminal-command.ts";

export const helpCommand: TerminalCommand = {
  name: "help",
  description: "show keys and commands",
  argument: null,
  timing: "always",
  isHarmless: true,
  async run({ commands, thread, keys, lines }) {
    const { renderHelp } = await import("../../text/render-help.ts");
    const named = commands.map((command) => {
      const argument = renderArgument(command, thread.config);
      return { name: `/${command.name}${argument === null ? "" : ` ${argument}`}`, description: command.description };
    });
    lines((columns) => [...renderHelp(keys, columns), { spans: [], wrap: "words" }, ...renderHelp(named, columns)]);
  },
};
