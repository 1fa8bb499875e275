import { fillPrompt, readPromptFiles } from "@unroll/use-cases/prompts";
import type { ResolvedConfig } from "@unroll/config";
import { builtInCommands } from "../command/commands.ts";
import type { TerminalCommand } from "../command/terminal-command.ts";
import { type App, tell } from "./app.ts";

/**
 * Reads your own prompts as they are now, and offers them as commands after the built-in ones. A warning is shown once. Returns whether
 * any command changed.
 */
export async function refreshCommands(app: App): Promise<boolean> {
  const { commands, warnings } = await readPromptCommands(app.threads.current.config);
  for (const warning of warnings.filter((each) => !app.promptWarnings.has(each))) tell(app, warning, "warning");
  app.promptWarnings = new Set(warnings);
  const all = [...builtInCommands, ...commands];
  const known = app.commands;
  app.commands = all;
  app.driver.setCommands(all);
  return JSON.stringify(all.map(toShown)) !== JSON.stringify(known.map(toShown));
}

function toShown({ name, description, argument }: TerminalCommand): readonly unknown[] {
  return [name, description, argument];
}

/** Your own prompts as commands `/prompts:NAME`, and a sentence for each file that was refused. */
async function readPromptCommands(
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
