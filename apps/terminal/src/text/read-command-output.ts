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
  const stopped = readStopped(output ?? "");
  if (stopped !== null) return stopped;
  const [, code, written] = /^Exit code: (\d+)\n(?:.*\n)*?Output:\n?([^]*)$/.exec(output ?? "") ?? [];
  if (code === undefined || written === undefined)
    return { aggregated_output: output ?? "", exit_code: null, status: "completed" };
  return { aggregated_output: written, exit_code: Number(code), status: code === "0" ? "completed" : "failed" };
}

/** What begins the output of a command that was stopped (`tools`), and of one whose turn (`core`) or program (`rollout`) ended before it. */
const stop =
  /^(?:(?:aborted by user|stopped by write_stdin) after [\d.]+ seconds|The (?:turn was interrupted|program ended) before [^]*)/;

/** Null: it was not stopped. */
function readStopped(output: string): EndedCommand | null {
  const [told = null] = stop.exec(output) ?? [];
  if (told === null) return null;
  const [, written = ""] = /^.*\n(?:.*\n)*?Output:\n?([^]*)$/.exec(output) ?? [];
  const reason = told.startsWith("The ")
    ? told
    : told.replace("aborted by user", "It was interrupted").replace("stopped by write_stdin", "The model stopped it");
  return {
    aggregated_output: written,
    exit_code: null,
    status: "failed",
    reason: reason.endsWith(".") ? reason : `${reason}.`,
  };
}
