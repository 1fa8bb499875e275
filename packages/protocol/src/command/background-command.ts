import type { CommandOutcome } from "./command-outcome.ts";
import type { CommandOutput, CommandSpec } from "./command-spec.ts";

/** A command that is written to while it runs. */
export interface BackgroundCommandSpec extends CommandSpec {
  /** With it the command gets a terminal of its own, which merges stdout and stderr. Absent: pipes. */
  readonly terminal?: TerminalSize;
}

/** In characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Without an opened session nothing runs. */
export type BackgroundCommandStart =
  | { readonly type: "opened"; readonly session: BackgroundCommand }
  | Extract<CommandOutcome, { readonly type: "not_started" | "refused" }>;

/** A started command, owned by the caller that writes to it. */
export interface BackgroundCommand {
  /** To stdin, or as typed at the terminal: `\x03` is ^C, `\r` is Enter. */
  readonly write: (text: string) => void;
  /** Does nothing without a terminal. */
  readonly resize: (size: TerminalSize) => void;
  /** To be read to its end, or what the session holds is not given back. Then nothing of the command's process tree is left. */
  readonly output: AsyncGenerator<CommandOutput, CommandOutcome>;
}
