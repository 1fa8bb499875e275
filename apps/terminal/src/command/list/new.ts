import type { TerminalCommand } from "../terminal-command.ts";

export const newCommand: TerminalCommand = {
  name: "new",
  description: "begin another conversation; this one is kept",
  argument: null,
  timing: "between_turns",
  async run({ conversation, tell }) {
    const [before, isResumable] = [conversation.thread.id, await conversation.isResumable()];
    await conversation.open({ type: "new" });
    tell(isResumable ? `A new conversation. /resume ${before} goes back.` : "A new conversation.");
  },
};
