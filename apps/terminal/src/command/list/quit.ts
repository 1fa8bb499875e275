import type { TerminalCommand } from "../terminal-command.ts";

export const quitCommand: TerminalCommand = {
  name: "quit",
  description: "leave (^C twice in an empty line, ^D)",
  argument: null,
  timing: "always",
  async run({ leave }) {
    leave();
  },
};
