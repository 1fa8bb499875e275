import { fillPrompt, readPromptFiles } from "@unroll/use-cases/prompts";
import type { ResolvedConfig } from "@unroll/config";
import type { TerminalCommand } from "../command/terminal-command.ts";

/** Your own prompts as commands `/prompts:NAME`, and a sentence for each file that was refused. */
export async function readPromptCommands(
  config: ResolvedConfig,
): Promise<{ readonly commands: readonly TerminalCommand[]; readonly warnings: readonly string[] }> {
  const { prompts, warnings } = await readPromptFiles(config);
  const commands = prompts.map(({ name, description, argumentHint, body }): TerminalCommand => ({
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
  return { commands, warnings };
}
