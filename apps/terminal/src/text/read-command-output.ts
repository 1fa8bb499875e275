import type { CommandExecutionThreadItem } from "@unroll/protocol";

type EndedCommand = Pick<CommandExecutionThreadItem, "aggregated_output" | "exit_code" | "status" | "reason">;

/** What the model is told where a command was refused. */
const refusal = /^The command was not run(?:: ([^]*)|\b)/;

/** How a command ended and what it wrote, of what the model was told of it; a text in another form is all output. */
export function readCommandOutput(output: string | null): EndedCommand {
  const refused = refusal.exec(output ?? "");
  if (refused !== null) {
    const [whole, reason = whole] = refused;
    return { aggregated_output: "", exit_code: null, status: "declined", reason };
  }
  const [, code, written] = /^Exit code: (\d+)\n(?:.*\n)*?Output:\n?([^]*)$/.exec(output ?? "") ?? [];
  if (code === undefined || written === undefined)
    return { aggregated_output: output ?? "", exit_code: null, status: "completed" };
  return { aggregated_output: written, exit_code: Number(code), status: code === "0" ? "completed" : "failed" };
}
