import type { TerminalCommand } from "../command/terminal-command.ts";
import type { App } from "./app.ts";

/** All commands. The description of one that has a key names the key in force. */
export function listCommands({ commands, driver }: Pick<App, "commands" | "driver">): readonly TerminalCommand[] {
  return commands.map((command) => {
    const key = command.key === undefined ? null : driver.showKey(command.key);
    return key === null ? command : { ...command, description: `${command.description} (${key})` };
  });
}
