import type { TerminalCommand } from "../terminal-command.ts";

export const forkCommand: TerminalCommand = {
  name: "fork",
  description: "continue in a copy; this thread stays as it is",
  argument: null,
  timing: "between_turns",
  async run({ thread, threads, tell }) {
    if (!thread.isSaved) return tell("There is nothing to copy: this thread has no turn yet, or is not saved.");
    await threads.open({ type: "fork", id: thread.id, turns: null });
    tell(`You are now in a copy: ${threads.current.id}. /resume ${thread.id} returns to the original.`);
  },
};
