import type { TerminalCommand } from "../terminal-command.ts";

export const transcriptCommand: TerminalCommand = {
  name: "transcript",
  description: "show the whole thread with nothing folded (^T)",
  argument: null,
  timing: "always",
  isHarmless: true,
  async run({ pageThread }) {
    await pageThread();
  },
};
