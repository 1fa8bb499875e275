import type {
  CommandOutcome,
  CommandOutput,
  CommandSpec,
  BackgroundCommandSpec,
  BackgroundCommandStart,
} from "@unroll/protocol";

/** Runs commands in their sandbox. `createCommandRunner` of `@unroll/sandbox` implements it. */
export interface ShellRunner {
  run(spec: CommandSpec, signal: AbortSignal): AsyncGenerator<CommandOutput, CommandOutcome>;
  startBackgroundCommand(spec: BackgroundCommandSpec, signal: AbortSignal): Promise<BackgroundCommandStart>;
}
