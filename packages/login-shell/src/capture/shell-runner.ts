import type {
  CommandOutcome,
  CommandOutput,
  CommandSpec,
  BackgroundCommandSpec,
  BackgroundCommandStart,
} from "@unroll/protocol";

/** What runs commands within their walls, as the sandbox does. */
export interface ShellRunner {
  run(spec: CommandSpec, signal: AbortSignal): AsyncGenerator<CommandOutput, CommandOutcome>;
  startBackgroundCommand(spec: BackgroundCommandSpec, signal: AbortSignal): Promise<BackgroundCommandStart>;
}
