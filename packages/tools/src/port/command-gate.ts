import type { CommandDenial } from "@unroll/protocol";

/** A command as it would be started. */
export interface CommandLine {
  /** Program and arguments; never empty. */
  readonly argv: readonly string[];
  /** The script that `argv` hands to the user's shell; absent where the model gave the arguments itself. */
  readonly shellScript?: string;
}

/** A command that the model wants to run, before anybody has agreed to it. */
export interface CommandRequest extends CommandLine {
  /** Absolute. */
  readonly cwd: string;
  /** `require_escalated`: the model asks to run it outside the sandbox. */
  readonly sandboxPermissions: "use_default" | "require_escalated";
  /** The model's reason, for the person who is asked. */
  readonly justification?: string;
}

export type CommandVerdict =
  /** `confinement` as in `CommandSpec`. */
  | { readonly type: "run"; readonly confinement: "policy" | "none" }
  /** `message` goes to the model: which rule or who said no, and what to do instead. */
  | { readonly type: "declined"; readonly message: string };

/** Decides whether a command runs, asking a person where the policy says so. Implemented by `harness`. */
export interface CommandGate {
  judge(request: CommandRequest, signal: AbortSignal): Promise<CommandVerdict>;
  /**
   * Called when the sandbox stopped a command: whether it runs again outside. Null: it does not, and nobody was asked.
   * Absent: never.
   */
  reconsider?(request: CommandRequest, denial: CommandDenial, signal: AbortSignal): Promise<CommandVerdict | null>;
}
