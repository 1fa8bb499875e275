import type { TerminalCommand } from "../terminal-command.ts";
import { describeResumed } from "../../text/describe-settings.ts";
import { chooseThread } from "../choose-thread.ts";

export const resumeCommand: TerminalCommand = {
  name: "resume",
  description: "continue an earlier thread",
  argument: "[ID]",
  timing: "between_turns",
  isHarmless: true,
  async run(context, argument) {
    const { thread, threads, showPast, tell } = context;
    const id = argument === "" ? await chooseThread(context, "Resume which thread?") : argument;
    if (id === null) return;
    if (thread.id.startsWith(id)) return tell("You are already in this thread.");
    await threads.open({ type: "resume", id });
    await showPast();
    tell(describeResumed(threads.current));
  },
};
