import type { ResolvedConfig } from "@unroll/config";
import type { TerminalCommand } from "./terminal-command.ts";

/** What may stand behind a command, as the lists of commands show it; null: nothing does. */
export function renderArgument({ argument }: Pick<TerminalCommand, "argument">, config: ResolvedConfig): string | null {
  return typeof argument === "function" ? argument(config) : argument;
}
