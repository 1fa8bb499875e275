import { readInitTask } from "@unroll/use-cases/prompts";
import type { TerminalCommand } from "../terminal-command.ts";

export const initCommand: TerminalCommand = {
  name: "init",
  description: "have an AGENTS.md written for this project",
  argument: null,
  timing: "between_turns",
  async run({ thread, choose, send }) {
    const { text, isThere } = await readInitTask(thread.config);
    if (!isThere) return send(text);
    const options = [
      { value: "improve", label: "improve it", description: "keep what is true and add what is missing" },
      { value: "leave", label: "leave it", description: "nothing is done" },
    ];
    const wish = await choose({ title: "There is an AGENTS.md already", options });
    if (wish === "improve") send(text);
  },
};
