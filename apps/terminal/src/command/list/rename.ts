import { showHidden } from "@unroll/text";
import type { TerminalCommand } from "../terminal-command.ts";

export const renameCommand: TerminalCommand = {
  name: "rename",
  description: "name this thread, as lists show it; without NAME: show its name",
  argument: "[NAME]",
  timing: "always",
  isHarmless: true,
  async run({ thread, tell }, name) {
    if (name === "")
      return tell(thread.name === null ? "This thread has no name." : `Name: ${showHidden(thread.name)}`);
    await thread.rename(name);
    tell(`Name: ${showHidden(name)}`);
  },
};
