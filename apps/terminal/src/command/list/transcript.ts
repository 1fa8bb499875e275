import type { TerminalCommand } from "../terminal-command.ts";

export const transcriptCommand: TerminalCommand = {
  name: "transcript",
  description: "the whole thread, in full (^T)",
  argument: null,
  timing: "always",
  async run({ pageThread }) {
    await pageThread();
  },
};
