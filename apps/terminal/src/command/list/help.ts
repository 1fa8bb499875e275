import { renderArgument } from "../render-argument.ts";
import type { TerminalCommand } from "../terminal-command.ts";

export const helpCommand: TerminalCommand = {
  name: "help",
  description: "show keys and commands",
  argument: "[keys]",
  choices: () => [{ value: "keys", description: "show the keys only" }],
  timing: "always",
  isHarmless: true,
  async run({ commands, thread, keys, lines, tell }, part) {
    const { renderHelp } = await import("../../text/render-help.ts");
    if (part === "keys") return lines((columns) => renderHelp(keys, columns));
    if (part !== "") return tell(`Unknown part "${part}". Use /help or /help keys.`);
    const named = commands.map((command) => {
      const argument = renderArgument(command, thread.config);
      return { name: `/${command.name}${argument === null ? "" : ` ${argument}`}`, description: command.description };
    });
    lines((columns) => [...renderHelp(keys, columns), { spans: [], wrap: "words" }, ...renderHelp(named, columns)]);
  },
};
