import type { CapturedOutput, CommandExecutionThreadItem, CommandOutcome } from "@unroll/protocol";
import { byteLength, capText } from "./cap-text.ts";
import { cleanOutput } from "./clean-output.ts";
import { describeDenial, describeRefusal } from "./describe-denial.ts";

/** How a command ended: once for the model, once for those who follow the thread. */
export interface CommandReport {
  /** At most `maxBytes`. */
  readonly text: string;
  readonly item: Pick<CommandExecutionThreadItem, "aggregated_output" | "exit_code" | "status">;
}

type UnstartedOutcome = Extract<CommandOutcome, { readonly type: "not_started" | "refused" }>;
type StartedOutcome = Exclude<CommandOutcome, UnstartedOutcome>;

/** The lines around a command's output. */
interface Frame {
  readonly head: readonly string[];
  /** Said in the output itself, before its first line. */
  readonly lead: readonly string[];
  readonly foot: string;
}

/** As `timeout(1)` has it. */
const TIMED_OUT_EXIT_CODE = 124;

export function reportCommand(
  outcome: CommandOutcome,
  { timeoutMs, maxBytes }: { readonly timeoutMs: number; readonly maxBytes: number },
): CommandReport {
  if (outcome.type === "not_started" || outcome.type === "refused") return reportUnstarted(outcome, maxBytes);
  const { text, shown } = frameOutput(outcome.output, toFrame(outcome, timeoutMs), maxBytes);
  const exitCode = toExitCode(outcome);
  return {
    text,
    item: { aggregated_output: shown, exit_code: exitCode, status: exitCode === 0 ? "completed" : "failed" },
  };
}

function reportUnstarted(outcome: UnstartedOutcome, maxBytes: number): CommandReport {
  const isRefused = outcome.type === "refused";
  const message = isRefused ? describeRefusal(outcome.message) : `The command could not be started: ${outcome.message}`;
  const text = capText(message, maxBytes);
  return { text, item: { aggregated_output: text, exit_code: null, status: isRefused ? "declined" : "failed" } };
}

function toExitCode(outcome: StartedOutcome): number | null {
  switch (outcome.type) {
    case "exited":
      return outcome.exitCode;
    case "timed_out":
      return TIMED_OUT_EXIT_CODE;
    case "aborted":
      return null;
  }
}

function toFrame(outcome: StartedOutcome, timeoutMs: number): Frame {
  const seconds = Math.round(outcome.durationMs / 100) / 10;
  if (outcome.type === "aborted") return { head: [`aborted by user after ${seconds} seconds`], lead: [], foot: "" };
  return {
    head: [`Exit code: ${toExitCode(outcome)}`, `Wall time: ${seconds} seconds`],
    lead: outcome.type === "timed_out" ? [`command timed out after ${timeoutMs} milliseconds`] : [],
    foot: outcome.denial ? describeDenial(outcome.denial) : "",
  };
}

/** `shown` is what of the output fits into the frame and the budget. */
function frameOutput(output: CapturedOutput, frame: Frame, maxBytes: number): { text: string; shown: string } {
  const total = `Total output lines: ${output.totalLines}`;
  const frameBytes = byteLength([...frame.head, total, "Output:", ...frame.lead, "", "", frame.foot].join("\n"));
  const cleaned = cleanOutput(output.text);
  const whole = { bytes: output.totalBytes, lines: output.totalLines };
  const shown = capText(cleaned, Math.max(maxBytes - frameBytes, 0), whole);

  const isCut = output.omittedBytes > 0 || shown !== cleaned;
  const above = [...frame.head, ...(isCut ? [total] : []), "Output:", ...frame.lead].join("\n");
  const gap = frame.foot === "" || shown === "" || shown.endsWith("\n") ? "" : "\n";
  return { text: capText(`${above}\n${shown}${gap}${frame.foot}`, maxBytes), shown };
}
