import type { TerminalCommand } from "../terminal-command.ts";
import { confirmResending } from "../confirm-resending.ts";

export const undoCompactCommand: TerminalCommand = {
  name: "undo-compact",
  description: "undo the last compaction",
  argument: null,
  timing: "between_turns",
  async run(context) {
    const { thread, tell } = context;
    const entries = await thread.entries();
    const undone = [...entries, { type: "epoch.undone" } as const];
    if (!(await confirmResending(context, "Undo the last compaction?", { now: entries, wanted: undone }))) return;
    await thread.undoCompaction();
    tell("The last compaction was undone. Later messages are kept.");
  },
};
