import type { ResolvedConfig } from "@unroll/config";
import type { TerminalCommand } from "./terminal-command.ts";

/** The argument of a command, as lists of commands show it; null: it takes none. */
export function renderArgument({ argument }: Pick<TerminalCommand, "argument">, config: ResolvedConfig): string | null {
  return typeof argument === "function" ? argument(config) : argument;
}
