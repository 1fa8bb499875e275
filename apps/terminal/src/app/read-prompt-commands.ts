import { fillPrompt, readPromptFiles } from "@unroll/use-cases/prompts";
import type { TerminalCommand } from "../command/terminal-command.ts";

/** Your own prompts as commands `/prompts:NAME`. */
export async function readPromptCommands(codexHome: string): Promise<readonly TerminalCommand[]> {
  const prompts = await readPromptFiles(codexHome);
  return prompts.map(({ name, description, argumentHint, body }) => ({
    name,
    description,
    argument: argumentHint ?? "[TEXT]",
    timing: "always",
    async run({ send, tell }, argument) {
      const filled = fillPrompt(body, argument);
      if (filled.type === "missing") tell(`This prompt needs ${filled.names.map((each) => `${each}=…`).join(" ")}.`);
      else send(filled.text);
    },
  }));
}
