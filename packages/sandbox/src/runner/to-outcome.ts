import { kindOf, resolveIfAny } from "@unroll/files";
import type { ProcessResult } from "@unroll/process-tree";
import type { CommandOutcome, ConfinedPolicy } from "@unroll/protocol";
import { lookUpProgram } from "./look-up-program.ts";
import type { SandboxBackend } from "../plan/sandbox-backend.ts";
import { isShortage } from "./is-shortage.ts";
import { classifyDenial } from "./classify-denial.ts";
import { parseBubblewrapStatus } from "../plan/linux/parse-bubblewrap-status.ts";
import type { InnerCommand } from "../plan/launch-plan.ts";
import type { PathRule } from "../policy/path-rule.ts";

/** The sandbox around a command. */
export interface ConfinedCommand {
  readonly command: InnerCommand;
  readonly policy: ConfinedPolicy;
  readonly backend: SandboxBackend["type"];
  readonly rules: readonly PathRule[];
  /** The hosts that were denied to it, in sentences. */
  readonly deniedHosts: () => readonly string[];
}

/**
 * `confined` is null for a command that ran outside any sandbox. `held`: how limits affected it, in
 * sentences.
 */
export function toOutcome(
  result: ProcessResult,
  confined: ConfinedCommand | null,
  held: readonly string[],
): CommandOutcome {
  const { reason, exit, durationMs, output } = result;
  const ended = { durationMs, output };
  if (reason === "aborted") return { type: "aborted", ...ended };
  const setupFailure = reason === "exited" && confined !== null ? explainSetupFailure(result, confined, held) : null;
  if (setupFailure !== null) return setupFailure;

  const { exitCode, signal } = exit ?? { exitCode: 1, signal: null };
  const denial =
    confined &&
    classifyDenial({
      ...confined,
      argv: confined.command.argv,
      cwd: confined.command.cwd,
      exitCode: reason === "exited" ? exitCode : null,
      text: output.text,
      deniedHosts: confined.deniedHosts(),
    });
  const all = { ...ended, ...(denial && { denial }) };
  return reason === "timed_out" ? { type: "timed_out", ...all } : { type: "exited", exitCode, signal, ...all };
}

/** The exit code of our own launchers. */
const launcherFailed = 71;

/**
 * The launcher ended before it started the command. Nothing ran, and the command must not run
 * elsewhere unasked.
 */
function explainSetupFailure(
  result: ProcessResult,
  { command, backend, policy }: ConfinedCommand,
  held: readonly string[],
): CommandOutcome | null {
  const { exit, output, status } = result;
  const text = output.text.trim();
  const launcher = policy.network.type === "hosts" ? "unroll-door:" : "unroll-landlock:";
  const isLaunched = exit?.exitCode !== launcherFailed || !text.startsWith(launcher);
  const isSetUp =
    exit?.signal !== null ||
    (backend === "bubblewrap" ? parseBubblewrapStatus(status).exitCode !== null && isLaunched : isLaunched);
  if (isSetUp) return null;
  if (held.length > 0) return { type: "not_started", message: `The command was not run: ${held.join(" ")}` };
  const { argv, cwd, environment } = command;
  const program = argv[0] ?? "";
  if (/can't chdir/i.test(text) || kindOf(resolveIfAny(cwd) ?? cwd) !== "folder") {
    return { type: "not_started", message: `The working folder ${cwd} does not exist.` };
  }
  // The launcher's own error message cannot be read on the harness's streams.
  const found = lookUpProgram(program, cwd, environment["PATH"] ?? "");
  if (/: exec(vp)? /.test(text) || found !== "executable") {
    const words = text === "" ? "." : `: ${text}`;
    const isThere = found === "not_executable";
    const problem = isThere
      ? `${program} is not executable`
      : `There is no program ${program}, or it cannot be executed`;
    return { type: "not_started", message: `${problem}${words}`, ...(isThere && { reason: "not_executable" }) };
  }
  const words = text === "" ? "its own words are above" : text;
  if (isShortage(text)) return { type: "not_started", message: `the sandbox could not be set up (${words}).` };
  return {
    type: "refused",
    message: `The command was not run: the sandbox could not be set up (${words}). Approve it to run outside the sandbox, or mend what the sandbox complains of.`,
  };
}
