import type { TerminalCommand } from "../terminal-command.ts";

export const forkCommand: TerminalCommand = {
  name: "fork",
  description: "go on with a copy of this conversation, which stays as it is",
  argument: null,
  timing: "between_turns",
  async run({ conversation, tell }) {
    const { id } = conversation.thread;
    if (!(await conversation.isResumable()))
      return tell("There is nothing to copy: this conversation has no turn yet, or is not kept.");
    await conversation.open({ type: "fork", id, turns: null });
    tell(`This is a copy: ${conversation.thread.id}. /resume ${id} goes back to the other one.`);
  },
};
