import { flatMap } from "@unroll/flow";
import type { Host, ResolvedConfig } from "@unroll/harness";
import type { CapturedOutput, CommandExecutionThreadItem, CommandOutcome, ThreadEvent } from "@unroll/protocol";

/** A command that the user runs. */
export interface UserCommand {
  /** The id of its item; unique among the items that are shown. */
  readonly id: string;
  /** For bash. */
  readonly script: string;
  /** Whether it runs in the sandbox of the config; if not, it runs as the user. */
  readonly isConfined: boolean;
  /** In ms; it is stopped after that. */
  readonly timeoutMs: number;
}

interface CommandPlace {
  readonly config: ResolvedConfig;
  readonly host: Host;
}

const maxOutputBytes = 64 * 1024;

/** Runs a command of the user, with the events of its item until its end. Returns the item as it ended, which the caller tells; an abort ends it, too. */
export async function* runUserCommand(
  { id, script, isConfined, timeoutMs }: UserCommand,
  { config: own, host }: CommandPlace,
  signal: AbortSignal,
): AsyncGenerator<ThreadEvent, CommandExecutionThreadItem> {
  const { findUserShell, openSandbox } = await import("@unroll/harness");
  const config = isConfined ? own : withoutSandbox(own);
  const started = {
    id,
    type: "command_execution",
    source: "user",
    command: script,
    aggregated_output: "",
    exit_code: null,
    status: "in_progress",
  } as const;
  yield { type: "item.started", item: started };
  await using sandbox = await openSandbox(config, host);
  const runner = await sandbox.openRunner();
  const spec = {
    argv: (await findUserShell(host, false)).toArgv(script, { login: false }),
    cwd: config.cwd,
    timeoutMs,
    maxOutputBytes,
    confinement: "policy",
  } as const;
  const outcome = yield* flatMap(runner.run(spec, signal), ({ text }): readonly ThreadEvent[] => [
    { type: "item.delta", item_id: id, kind: "command_output", delta: text },
  ]);
  return { ...started, ...describeOutcome(outcome, timeoutMs) };
}

/** A command that the user ran, as text for the model. */
export function renderUserCommand({
  command,
  aggregated_output: output,
  exit_code: code,
}: CommandExecutionThreadItem): string {
  const end = code === null ? "it did not end by itself" : `exit code ${code}`;
  return `<user_command>\nThe person ran this themselves (${end}):\n$ ${command}\n${output.trimEnd()}\n</user_command>`;
}

function withoutSandbox(config: ResolvedConfig): ResolvedConfig {
  return { ...config, sandboxSettings: { ...config.sandboxSettings, mode: "danger-full-access" } };
}

type Ended = Pick<
  CommandExecutionThreadItem,
  "aggregated_output" | "omitted_lines" | "exit_code" | "status" | "reason"
>;

function describeOutcome(outcome: CommandOutcome, timeoutMs: number): Ended {
  switch (outcome.type) {
    case "exited": {
      const status = outcome.exitCode === 0 ? "completed" : "failed";
      return { ...describeOutput(outcome.output), exit_code: outcome.exitCode, status };
    }
    case "timed_out":
      return {
        ...describeOutput(outcome.output),
        exit_code: null,
        status: "failed",
        reason: `It ran longer than ${timeoutMs / 1000} s and was stopped.`,
      };
    case "aborted":
      return { ...describeOutput(outcome.output), exit_code: null, status: "failed", reason: "Stopped by you." };
    case "refused":
    case "not_started":
      return { aggregated_output: "", exit_code: null, status: "failed", reason: outcome.message };
  }
}

function describeOutput({ text, omittedLines }: CapturedOutput): Pick<Ended, "aggregated_output" | "omitted_lines"> {
  return { aggregated_output: text, ...(omittedLines > 0 && { omitted_lines: omittedLines }) };
}
