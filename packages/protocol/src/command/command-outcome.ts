/** stdout and stderr merged in order of arrival. */
export interface CapturedOutput {
  /** At most `maxOutputBytes` of it: its head and its tail, with a marker line between where something was left out. */
  readonly text: string;
  /** Bytes and lines the command wrote in all. */
  readonly totalBytes: number;
  readonly totalLines: number;
  /** Bytes left out of the middle of `text`; 0 when it is whole. */
  readonly omittedBytes: number;
  /** Line breaks among these bytes: how many lines are missing. */
  readonly omittedLines: number;
}

/** The sandbox was, or may have been, why the command failed. */
export interface CommandDenial {
  readonly kind: "filesystem" | "network" | "process" | "setup";
  readonly confidence: "certain" | "likely";
  readonly path?: string;
  /** One sentence that may go to the model. */
  readonly reason: string;
}

/** How a command ended. By then nothing of its process tree is left. */
export type CommandOutcome =
  | {
      readonly type: "exited";
      /** 128 + signal number where a signal ended it. */
      readonly exitCode: number;
      readonly signal: string | null;
      readonly durationMs: number;
      readonly output: CapturedOutput;
      readonly denial?: CommandDenial;
    }
  | {
      readonly type: "timed_out";
      readonly durationMs: number;
      readonly output: CapturedOutput;
      readonly denial?: CommandDenial;
    }
  | { readonly type: "aborted"; readonly durationMs: number; readonly output: CapturedOutput }
  /** It could not be started: no such program, no such folder. `reason`: there is one, but it may not be executed. */
  | { readonly type: "not_started"; readonly message: string; readonly reason?: "not_executable" }
  /** It was not started, because the sandbox of the policy does not work here. `message` says what to do. */
  | { readonly type: "refused"; readonly message: string };
