import { countBytes, type SecretMask } from "@unroll/text";
import type { CapturedOutput, CommandDenial, CommandExecutionThreadItem, CommandOutcome } from "@unroll/protocol";
import type { DeclinedVerdict } from "../port/call-gate.ts";
import { capAndCount, capText } from "./cap-text.ts";
import { cleanOutput } from "./clean-output.ts";

interface ReportOptions {
  /** Limit of the text. */
  readonly maxBytes: number;
  /** As of `OutputRecord`; asked only when output has to be left out. */
  readonly locate: () => Promise<readonly string[]>;
  /** Escape sequences may have taken a secret apart: without them it has to be masked once more. Absent: nothing is. */
  readonly secrets?: SecretMask | undefined;
}

/** A command that is over. */
export interface EndedCommand {
  readonly outcome: CommandOutcome;
  /** Output that the model has not read yet; absent: all of it. */
  readonly output?: CapturedOutput;
  /** In ms, for an outcome that says that it was passed. */
  readonly timeoutMs?: number;
  /** The cause of an `aborted` outcome; absent: the user. `close`: its thread was closed. */
  readonly stoppedBy?: "user" | "model" | "close";
  /** Why it was not run again, outside the sandbox; null: that was not asked. */
  readonly refusal?: DeclinedVerdict | null;
}

/** A command that outlives the call. */
interface RunningCommand {
  readonly sessionId: number;
  readonly durationMs: number;
  readonly output: CapturedOutput;
}

/** How a command ended, for those who follow the thread. */
type EndedItem = Pick<
  CommandExecutionThreadItem,
  "aggregated_output" | "omitted_lines" | "exit_code" | "status" | "reason" | "code"
>;

type UnstartedOutcome = Extract<CommandOutcome, { readonly type: "not_started" | "refused" }>;
type StartedOutcome = Exclude<CommandOutcome, UnstartedOutcome>;

/** The lines around a command's output. */
interface Frame {
  readonly head: readonly string[];
  /** Said in the output itself, before its first line. */
  readonly lead: readonly string[];
  readonly foot: string;
}

/** For the model, which knows it from `timeout(1)`; the item says `reason` instead. */
const timedOutExitCode = 124;

/** Tells the model how a command ended and what it wrote. */
export function reportEnd(ended: EndedCommand, options: ReportOptions): Promise<string> {
  const { outcome } = ended;
  if (isUnstarted(outcome)) {
    const { type, message } = outcome;
    const text = type === "refused" ? `${message} ${howToAsk}` : `The command could not be started: ${message}`;
    return Promise.resolve(capText(text, options.maxBytes));
  }
  return frameOutput(ended.output ?? outcome.output, toEndFrame(outcome, ended), options);
}

/** Reports to the model what a command wrote so far, and how to continue with it. */
export function reportRunning(
  { sessionId, durationMs, output }: RunningCommand,
  options: ReportOptions,
): Promise<string> {
  const frame = {
    head: [`Still running: session ${sessionId}`, describeTime(durationMs)],
    lead: [],
    foot: `Go on with write_stdin and session_id ${sessionId}: empty chars wait for more, "\\u0003" interrupts it, kill ends it.`,
  };
  return frameOutput(output, frame, options);
}

/** `aggregated_output` is at most `maxBytes`. */
export function toEndedItem(
  ended: EndedCommand,
  { maxBytes, secrets }: Pick<ReportOptions, "maxBytes" | "secrets">,
): EndedItem {
  const { outcome } = ended;
  if (isUnstarted(outcome)) {
    const ended = { aggregated_output: "", exit_code: null, reason: outcome.message };
    if (outcome.type === "not_started") return { ...ended, status: "failed" };
    return { ...ended, status: "declined", code: "sandbox_unavailable" };
  }
  const { text, totalBytes, totalLines, omittedLines } = outcome.output;
  const whole = { bytes: totalBytes, lines: totalLines };
  const { text: shown, missing } = capAndCount(cleanAndMask(text, secrets), maxBytes, whole);
  const exitCode = outcome.type === "exited" ? outcome.exitCode : null;
  const reason = explainEnd(outcome, ended);
  const omitted = missing?.lines ?? omittedLines;
  return {
    aggregated_output: shown,
    ...(omitted > 0 && { omitted_lines: omitted }),
    exit_code: exitCode,
    status: exitCode === 0 ? "completed" : "failed",
    ...(reason !== "" && { reason }),
    ...("denial" in outcome && exitCode !== 0 && { code: "sandbox_denied" as const }),
  };
}

/** Empty where the exit code says all. */
function explainEnd(outcome: StartedOutcome, { timeoutMs = 0, stoppedBy, refusal = null }: EndedCommand): string {
  switch (outcome.type) {
    case "timed_out":
      return `It ran longer than ${timeoutMs / 1000} s and was stopped.`;
    case "aborted":
      if (stoppedBy === "close") return "It was ended with its thread.";
      return stoppedBy === "model" ? "The model stopped it." : `Stopped after ${toSeconds(outcome.durationMs)} s.`;
    case "exited": {
      const { exitCode, signal, denial } = outcome;
      if (exitCode === 0) return "";
      const causes = [
        ...(signal === null ? [] : [`It was ended by ${signal}.`]),
        denial?.reason ?? "",
        refusal?.reason ?? refusal?.message ?? "",
      ];
      return causes.filter((cause) => cause !== "").join(" ");
    }
  }
}

function isUnstarted(outcome: CommandOutcome): outcome is UnstartedOutcome {
  return outcome.type === "not_started" || outcome.type === "refused";
}

function toEndFrame(outcome: StartedOutcome, { timeoutMs, stoppedBy, refusal = null }: EndedCommand): Frame {
  if (outcome.type === "aborted") {
    const cause = stoppedBy === "model" ? "stopped by write_stdin" : "aborted by user";
    return { head: [`${cause} after ${toSeconds(outcome.durationMs)} seconds`], lead: [], foot: "" };
  }
  const isLate = outcome.type === "timed_out";
  const foot = outcome.denial ? describeDenial(outcome.denial) : explainMissingPatchProgram(outcome.output);
  return {
    head: [`Exit code: ${isLate ? timedOutExitCode : outcome.exitCode}`, describeTime(outcome.durationMs)],
    lead: isLate ? [`command timed out after ${timeoutMs} milliseconds`] : [],
    foot:
      refusal === null || refusal.message === ""
        ? foot
        : `${foot}\nIt was not run again outside the sandbox. ${refusal.message}`,
  };
}

/** Models look for the tool in the shell, in more forms than are caught there. It is not named: the thread may have none. */
function explainMissingPatchProgram({ text }: CapturedOutput): string {
  return /\bapply_?patch: (?:command )?not found/.test(text)
    ? "There is no program of that name. If your list of tools has one for patches, call it with the patch as its input."
    : "";
}

function describeTime(durationMs: number): string {
  return `Wall time: ${toSeconds(durationMs)} seconds`;
}

function toSeconds(durationMs: number): number {
  return Math.round(durationMs / 100) / 10;
}

/** Output that does not fit loses its middle; then the frame tells how long it was and where it lies whole. */
async function frameOutput(
  output: CapturedOutput,
  frame: Frame,
  { maxBytes, locate, secrets }: ReportOptions,
): Promise<string> {
  const cleaned = cleanAndMask(output.text, secrets);
  const whole = compose(frame, [], cleaned);
  if (output.omittedBytes === 0 && countBytes(whole) <= maxBytes) return whole;

  const notes = [`Total output lines: ${output.totalLines}`, ...(await locate())];
  const room = maxBytes - countBytes(compose(frame, notes, "\n"));
  const shown = capText(cleaned, Math.max(room, 0), { bytes: output.totalBytes, lines: output.totalLines });
  return capText(compose(frame, notes, shown), maxBytes);
}

function cleanAndMask(text: string, secrets: SecretMask | undefined): string {
  const cleaned = cleanOutput(text);
  return secrets?.mask(cleaned) ?? cleaned;
}

function compose({ head, lead, foot }: Frame, notes: readonly string[], output: string): string {
  const gap = foot === "" || output === "" || output.endsWith("\n") ? "" : "\n";
  return `${[...head, ...notes, "Output:", ...lead, output].join("\n")}${gap}${foot}`;
}

const howToAsk =
  'If the task needs it and somebody can approve (see the permissions message), call again with sandbox_permissions "require_escalated" and a justification. Where nobody can, go another way, or say in the end what was needed.';

/** Tells the model that a policy was in the way, which one, and how to ask: so that it takes no wall for an outage. */
function describeDenial({ kind, confidence, reason }: CommandDenial): string {
  const cause = confidence === "certain" ? "The sandbox policy stopped this" : "The sandbox policy may be the cause";
  return `${cause} (${kind}): ${reason} ${howToAsk}`;
}
