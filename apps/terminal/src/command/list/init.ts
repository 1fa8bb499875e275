import { readInitTask } from "@unroll/use-cases/prompts";
import type { TerminalCommand } from "../terminal-command.ts";

export const initCommand: TerminalCommand = {
  name: "init",
  description: "let the model write an AGENTS.md for this project",
  argument: null,
  timing: "between_turns",
  async run({ thread, choose, send }) {
    const { text, isThere } = await readInitTask(thread.config);
    if (!isThere) return send(text);
    const options = [
      { value: "improve", label: "improve it", description: "keep correct parts and add missing ones" },
      { value: "leave", label: "leave it", description: "do nothing" },
    ];
    const wish = await choose({ title: "AGENTS.md exists already. Improve it?", options });
    if (wish === "improve") send(text);
  },
};
