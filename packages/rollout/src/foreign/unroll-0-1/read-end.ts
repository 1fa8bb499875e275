import type { EndedCall } from "../../line/parse-line.ts";

/** How a call ended and what a command printed, as far as its output says. */
export interface ReadEnd extends Omit<EndedCall, "callId"> {
  readonly written: string;
}

const refusal = /^The (?:command|call) was not run(?:: ([^]*)|\b)|^The patch was not applied(?:: ([^]*)|\b)/;
const stopped =
  /^(?:(aborted by user|stopped by write_stdin) after ([\d.]+) seconds|(?:aborted by user|not run:|The (?:turn was interrupted|program ended) before) ?[^\n]*)/;

/** Both unroll and the Codex CLI tell the model how a command ended above what it wrote. Null: there is no output. */
export function readEnd(output: string | null): ReadEnd {
  if (output === null)
    return {
      status: "unknown",
      exitCode: null,
      reason: "It has no result: it was cut off, or it still runs elsewhere.",
      written: "",
    };
  const refused = refusal.exec(output);
  if (refused !== null)
    return { status: "declined", exitCode: null, reason: refused[1] ?? refused[2] ?? refused[0], written: "" };
  const [, framed = null] = /^.*\n(?:.*\n)*?Output:\n?([^]*)$/.exec(output) ?? [];
  const stop = stopped.exec(output);
  if (stop !== null) return { status: "failed", exitCode: null, reason: describeStop(stop), written: framed ?? "" };
  const [, code] =
    /^(?:Exit code: |Chunk ID: \w+\nWall time: [\d.]+ seconds\nProcess exited with code )(\d{1,3})\n/.exec(output) ??
    [];
  if (code === undefined) return { status: "unknown", exitCode: null, reason: null, written: output };
  return {
    status: code === "0" ? "completed" : "failed",
    exitCode: Number(code),
    reason: null,
    written: framed ?? output,
  };
}

function describeStop([told, by, seconds]: RegExpExecArray): string {
  if (by === undefined) return told;
  return `${by === "aborted by user" ? "It was interrupted" : "The model stopped it"} after ${seconds ?? "?"} seconds.`;
}
