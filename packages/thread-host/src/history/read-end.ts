import type { EndedCall } from "@unroll/protocol";

/**
 * How a call ended of which that was not written down, as far as what the model was told says it: an earlier version ran it, or another program.
 * Where it does not, `reason` says that nobody knows; there is no status for that.
 */
export function readEnd(output: string | null): Omit<EndedCall, "callId"> {
  if (output === null)
    return {
      status: "failed",
      exitCode: null,
      reason: "It has no result: it was cut off, or it still runs elsewhere.",
    };
  const [, code] = /^Exit code: (\d{1,3})\n/.exec(output) ?? [];
  if (code !== undefined)
    return { status: code === "0" ? "completed" : "failed", exitCode: Number(code), reason: null };
  const stopped = stops.find(({ opening }) => opening.test(output));
  if (stopped !== undefined) return { status: stopped.status, exitCode: null, reason: null };
  return { status: "completed", exitCode: null, reason: "How it ended was not written down." };
}

/** How outputs begin of what did not run, or not to its end. */
const stops = [
  { opening: /^(?:The command|The call|The patch) was not (?:run|applied)\b/, status: "declined" },
  {
    opening: /^(?:aborted by user|stopped by write_stdin|not run:|The (?:turn was interrupted|program ended) before)/,
    status: "failed",
  },
] as const;
