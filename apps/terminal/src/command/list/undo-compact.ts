import type { TerminalCommand } from "../terminal-command.ts";

export const undoCompactCommand: TerminalCommand = {
  name: "undo-compact",
  description: "undo the last compaction",
  argument: null,
  timing: "between_turns",
  async run({ thread, tell }) {
    await thread.undoCompaction();
    tell("The last compaction was undone. Later messages are kept.");
  },
};
