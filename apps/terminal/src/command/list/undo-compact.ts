import type { TerminalCommand } from "../terminal-command.ts";

export const undoCompactCommand: TerminalCommand = {
  name: "undo-compact",
  description: "back to what the conversation was before it was last shortened",
  argument: null,
  timing: "between_turns",
  async run({ conversation, tell }) {
    await conversation.thread.undoCompaction();
    tell("The conversation is what it was before it was last shortened, with what was said since behind it.");
  },
};
