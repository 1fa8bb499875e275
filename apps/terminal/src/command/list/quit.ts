import type { TerminalCommand } from "../terminal-command.ts";

export const quitCommand: TerminalCommand = {
  name: "quit",
  description: "quit",
  key: "global.quit",
  argument: null,
  timing: "always",
  async run({ leave }) {
    leave();
  },
};
