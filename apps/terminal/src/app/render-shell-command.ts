import type { CommandExecutionThreadItem } from "@unroll/protocol";

/** Renders a command that you ran yourself as text for the model. */
export function renderShellCommand({
  command,
  aggregated_output: output,
  exit_code: code,
}: CommandExecutionThreadItem): string {
  const end = code === null ? "it did not end by itself" : `exit code ${code}`;
  return `<user_command>\nThe person ran this themselves (${end}):\n$ ${command}\n${output.trimEnd()}\n</user_command>`;
}
