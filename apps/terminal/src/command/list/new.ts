import type { TerminalCommand } from "../terminal-command.ts";

export const newCommand: TerminalCommand = {
  name: "new",
  description: "start another thread; this one is saved",
  argument: null,
  timing: "between_turns",
  async run({ thread, threads, tell }) {
    await threads.open({ type: "new" });
    tell(thread.isSaved ? `A new thread. /resume ${thread.id} goes back.` : "A new thread.");
  },
};
