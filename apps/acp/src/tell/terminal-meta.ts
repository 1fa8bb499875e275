import type { CommandExecutionThreadItem } from "@unroll/protocol";

/** What a terminal of the client's is told of a command: it runs here, in our sandbox, and is only shown there. */
export function toTerminalMeta(
  { id, status, exit_code: exitCode }: CommandExecutionThreadItem,
  cwd: string,
): Record<string, unknown> {
  return status === "in_progress"
    ? { terminal_info: { terminal_id: id, cwd } }
    : { terminal_exit: { terminal_id: id, exit_code: exitCode, signal: null } };
}
