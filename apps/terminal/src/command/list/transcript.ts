import type { TerminalCommand } from "../terminal-command.ts";

export const transcriptCommand: TerminalCommand = {
  name: "transcript",
  description: "the whole conversation, in full (^T)",
  argument: null,
  timing: "always",
  async run({ pageThread }) {
    await pageThread();
  },
};
