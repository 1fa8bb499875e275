import type { CommandOutcome, CommandOutput, CommandSpec } from "@unroll/protocol";

/** Starts commands that are typed to while they run. Implemented by `sandbox`. */
export interface SessionRunner {
  /**
   * Starts a command in a terminal of its own. An abort stops it, as it does one of `CommandRunner`. Without an opened
   * session nothing runs.
   */
  openSession(spec: TerminalSpec, signal: AbortSignal): Promise<SessionStart>;
}

export interface TerminalSpec extends CommandSpec {
  /** In characters. */
  readonly terminal: { readonly columns: number; readonly rows: number };
}

export type SessionStart =
  | { readonly type: "opened"; readonly session: TerminalSession }
  | Extract<CommandOutcome, { readonly type: "not_started" | "refused" }>;

export interface TerminalSession {
  /** As typed: `\x03` is ^C, `\r` is Enter. */
  readonly write: (text: string) => void;
  /** To be read to its end. Then nothing of the command's process tree is left. */
  readonly output: AsyncGenerator<CommandOutput, CommandOutcome>;
}
