import type { ResolvedConfig } from "@unroll/config";
import { flatMap } from "@unroll/flow";
import type { Host } from "@unroll/harness";
import {
  type CapturedOutput,
  type CommandExecutionThreadItem,
  type CommandOutcome,
  noTokenUsage,
  type ThreadEvent,
  type TurnOutcome,
} from "@unroll/protocol";
import { type App, tell } from "./app.ts";
import { renderShellCommand } from "./render-shell-command.ts";
import { runBeside } from "./run-work.ts";

/**
 * Runs your own command: `!command` outside the sandbox, `!!command` inside it. The model gets it with your next message.
 * `typed`: without the first `!`.
 */
export async function runScript(app: App, typed: string): Promise<void> {
  const { threads, host } = app;
  const isConfined = typed.startsWith("!");
  const script = isConfined ? typed.slice(1).trim() : typed;
  const config = isConfined ? threads.current.config : withoutSandbox(threads.current.config);
  const { mode } = config.sandboxSettings;
  tell(app, isConfined ? `In the sandbox (${mode}):` : "Outside the sandbox, as you:", "muted");
  const id = `own_${app.shownItems++}`;
  const held: { output: string | null } = { output: null };

  async function* start(signal: AbortSignal): AsyncGenerator<ThreadEvent, TurnOutcome> {
    const item = yield* runShellCommand({ id, script }, { config, host }, signal);
    held.output = renderShellCommand(item);
    return { type: "completed", finalMessage: null, usage: noTokenUsage };
  }

  await runBeside(app, start);
  if (held.output === null) return;
  await threads.current.send([{ type: "text", text: held.output, isAdded: true }]);
  tell(app, "The model gets this with your next message.", "muted");
}

function withoutSandbox(config: ResolvedConfig): ResolvedConfig {
  return { ...config, sandboxSettings: { ...config.sandboxSettings, mode: "danger-full-access" } };
}

interface ShellCommand {
  /** Unique among the items that are shown. */
  readonly id: string;
  readonly script: string;
}

const timeoutMs = 10 * 60 * 1000;
const maxOutputBytes = 64 * 1024;

/** Runs it in the sandbox of the config, with the events of an item. Returns it as it ended. */
async function* runShellCommand(
  { id, script }: ShellCommand,
  { config, host }: { readonly config: ResolvedConfig; readonly host: Host },
  signal: AbortSignal,
): AsyncGenerator<ThreadEvent, CommandExecutionThreadItem> {
  const { openSandbox } = await import("@unroll/harness");
  const started = {
    id,
    type: "command_execution",
    command: script,
    aggregated_output: "",
    exit_code: null,
    status: "in_progress",
  } as const;
  yield { type: "item.started", item: started };
  await using sandbox = await openSandbox(config, host);
  const runner = await sandbox.openRunner();
  const spec = {
    argv: ["bash", "-c", script],
    cwd: config.cwd,
    timeoutMs,
    maxOutputBytes,
    confinement: "policy",
  } as const;
  const outcome = yield* flatMap(runner.run(spec, signal), ({ text }): readonly ThreadEvent[] => [
    { type: "item.delta", item_id: id, kind: "command_output", delta: text },
  ]);
  const item: CommandExecutionThreadItem = { ...started, ...describeOutcome(outcome) };
  yield { type: "item.completed", item };
  return item;
}

type Ended = Pick<
  CommandExecutionThreadItem,
  "aggregated_output" | "omitted_lines" | "exit_code" | "status" | "reason"
>;

function describeOutcome(outcome: CommandOutcome): Ended {
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
        reason: "It ran longer than 10 minutes and was stopped.",
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
