import type { PatchPorts } from "../patch/plan-patch-call.ts";
import type { CommandLine } from "../port/call-gate.ts";
import type { PlanContext, PlannedCall, RejectedCall } from "../tool/tool.ts";
import { type CommandInput, toRequest } from "./command-fields.ts";
import { planCommandCall } from "./plan-command-call.ts";
import { type CommandPorts, runCommand } from "./run-command.ts";

/** What the tools `shell_command` and `shell` run commands by, and where. */
export interface CommandToolOptions extends CommandPorts, PatchPorts {
  /** Absolute; read at each call. */
  readonly cwd: string;
  /** For calls without `timeout_ms`; in ms, default 120,000. */
  readonly defaultTimeoutMs?: number;
  /** Whether a command only looks: such calls run side by side. By default none does. */
  readonly isReadOnlyCommand?: (command: CommandLine) => boolean | Promise<boolean>;
}

export interface WholeCommand {
  readonly line: CommandLine;
  readonly input: CommandInput & { readonly timeout_ms: number };
}

/** What a tool that runs a command to its end would do. */
export function planWholeCommand(
  options: CommandToolOptions,
  { line, input }: WholeCommand,
  planContext: PlanContext,
): Promise<PlannedCall | RejectedCall> {
  const request = toRequest(options.cwd, line, input);
  const timeoutMs = input.timeout_ms;
  return planCommandCall(
    options,
    { request, run: (command, context) => runCommand(options, { command, timeoutMs }, context) },
    planContext,
  );
}
