import type { TerminalCommand } from "../terminal-command.ts";

export const transcriptCommand: TerminalCommand = {
  name: "transcript",
  description: "show the whole thread with nothing folded",
  key: "global.open_transcript",
  argument: null,
  timing: "always",
  isHarmless: true,
  async run({ pageThread }) {
    await pageThread();
  },
};
