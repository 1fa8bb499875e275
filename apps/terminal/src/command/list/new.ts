import type { TerminalCommand } from "../terminal-command.ts";

export const newCommand: TerminalCommand = {
  name: "new",
  description: "start a new thread; this one is saved",
  argument: null,
  timing: "between_turns",
  async run({ thread, threads, tell }) {
    await threads.open({ type: "new" });
    tell(thread.isSaved ? `New thread. /resume ${thread.id} returns to the last one.` : "New thread.");
  },
};
