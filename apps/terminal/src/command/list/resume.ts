import type { TerminalCommand } from "../terminal-command.ts";
import { chooseThread } from "../choose-thread.ts";

export const resumeCommand: TerminalCommand = {
  name: "resume",
  description: "go on with an earlier conversation",
  argument: "[ID]",
  timing: "between_turns",
  async run(context, argument) {
    const { conversation, showPast, tell } = context;
    const id = argument === "" ? await chooseThread(context, "Go on with") : argument;
    if (id === null) return;
    if (conversation.thread.id.startsWith(id)) return tell("That is this conversation.");
    await conversation.open({ type: "resume", id });
    await showPast();
  },
};
