import type { TerminalCommand } from "../terminal-command.ts";

export const quitCommand: TerminalCommand = {
  name: "quit",
  description: "quit (or ^D, or ^C twice in an empty line)",
  argument: null,
  timing: "always",
  async run({ leave }) {
    leave();
  },
};
