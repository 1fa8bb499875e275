import type { CommandOutcome, SandboxPolicy } from "@unroll/protocol";
import type { SandboxBackend } from "../backend/sandbox-backend.ts";
import { classifyDenial } from "../denial/classify-denial.ts";
import { parseBubblewrapStatus } from "../linux/parse-bubblewrap-status.ts";
import type { InnerCommand } from "../plan/launch-plan.ts";
import type { ProcessResult } from "../process/start-process.ts";
import type { PathRule } from "../rules/path-rule.ts";

/** What stood around a command. */
export interface ConfinedCommand {
  readonly command: InnerCommand;
  readonly policy: SandboxPolicy;
  readonly backend: SandboxBackend["type"];
  readonly rules: readonly PathRule[];
}

/** `confined` is absent for a command that ran outside of any sandbox. */
export function toOutcome(result: ProcessResult, confined: ConfinedCommand | undefined): CommandOutcome {
  const { reason, exit, durationMs, output } = result;
  const ended = { durationMs, output };
  if (reason === "aborted") return { type: "aborted", ...ended };
  const setupFailure = reason === "exited" && confined && explainSetupFailure(result, confined);
  if (setupFailure) return setupFailure;

  const { exitCode, signal } = exit ?? { exitCode: 1, signal: null };
  const denial =
    confined &&
    classifyDenial({
      ...confined,
      argv: confined.command.argv,
      cwd: confined.command.cwd,
      exitCode: reason === "exited" ? exitCode : undefined,
      text: output.text,
    });
  const all = { ...ended, ...(denial && { denial }) };
  return reason === "timed_out" ? { type: "timed_out", ...all } : { type: "exited", exitCode, signal, ...all };
}

/** The launcher ended before there was a command: then nothing ran, and it must not run elsewhere unasked. */
function explainSetupFailure(result: ProcessResult, { command, backend }: ConfinedCommand): CommandOutcome | undefined {
  const { exit, output, status } = result;
  const text = output.text.trim();
  const isSetUp =
    exit?.signal !== null ||
    (backend === "bubblewrap"
      ? parseBubblewrapStatus(status).exitCode !== undefined
      : !text.startsWith("unroll-landlock:"));
  if (isSetUp) return undefined;
  if (/: exec(vp)? /.test(text)) {
    return {
      type: "not_started",
      message: `There is no program ${command.argv[0]}, or it cannot be executed: ${text}`,
    };
  }
  if (/can't chdir/i.test(text))
    return { type: "not_started", message: `The working folder ${command.cwd} does not exist.` };
  return {
    type: "refused",
    message: `The command was not run: the sandbox could not be set up (${text}). Approve it to run outside the sandbox, or mend what the sandbox complains of.`,
  };
}
