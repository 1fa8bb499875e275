import type {
  BackgroundCommandSpec,
  BackgroundCommandStart,
  CommandOutcome,
  CommandOutput,
  CommandSpec,
} from "@unroll/protocol";

/**
 * Runs one command to its end. Yields output as it comes and returns how the command ended; by then nothing of its
 * process tree is left. Expected failures are outcomes, never exceptions. An abort stops the command and ends in the
 * `aborted` outcome; leaving the generator early stops it too. Implemented by `sandbox`.
 */
export interface CommandRunner {
  run(spec: CommandSpec, signal: AbortSignal): AsyncGenerator<CommandOutput, CommandOutcome>;
}

/** Starts commands that are typed to while they run. Implemented by `sandbox`. */
export interface BackgroundCommandRunner {
  /** An abort stops the command, as it does one of `CommandRunner`. */
  startBackgroundCommand(spec: BackgroundCommandSpec, signal: AbortSignal): Promise<BackgroundCommandStart>;
}

/** The shell that runs the model's scripts, as in `bash -lc SCRIPT`. Implemented by `harness`. */
export interface UserShell {
  /** The name for the model: `bash`, `zsh`. */
  readonly name: string;
  /** Whether scripts may have the user's profile read first; where not, `login` changes nothing. */
  readonly allowsLogin: boolean;
  /**
   * `login`: whether the shell reads the user's profile first. `program`: another one that takes the same options, by
   * name or path.
   */
  toArgv(script: string, options: { readonly login: boolean; readonly program?: string }): readonly string[];
}
