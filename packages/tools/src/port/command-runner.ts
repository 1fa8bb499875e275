import type { CommandOutcome, CommandOutput, CommandSpec } from "@unroll/protocol";

/**
 * Runs one command to its end. Yields output as it comes and returns how the command ended; by then nothing of its
 * process tree is left. Expected failures are outcomes, never exceptions. An abort stops the command and ends in the
 * `aborted` outcome; leaving the generator early stops it too. Implemented by `sandbox`.
 */
export interface CommandRunner {
  run(spec: CommandSpec, signal: AbortSignal): AsyncGenerator<CommandOutput, CommandOutcome>;
}
