import type { ShellDialect } from "../command/shell-dialect.ts";
import type { ScriptReading } from "../script/script-reading.ts";

/** The commands that a command runs, besides itself. */
export interface Unwrapped extends ScriptReading {
  readonly dialect: ShellDialect;
  /** How many of the outer words a rule must take in to speak of the inner command too. */
  readonly coverage: number;
  /** Whether the outer command adds nothing of its own, so that the inner ones alone decide. */
  readonly transparent: boolean;
  /** Whether the commands are all that the words may hold, however deep, so that none of them is looked into. */
  readonly isSearched: boolean;
  /** Whether the inner commands run without some of the variables that the outer one was given. */
  readonly dropsEnvironment: boolean;
  /** Whether the outer command may write what the inner ones print to a file. */
  readonly writesOutput: boolean;
}

/** A wrapper that adds nothing of its own, unless noted. */
export const plainWrapper: Omit<Unwrapped, "commands" | "dialect" | "coverage"> = {
  flaw: null,
  forkBombs: [],
  transparent: true,
  isSearched: false,
  dropsEnvironment: false,
  writesOutput: false,
};
