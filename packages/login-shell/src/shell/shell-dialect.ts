import type { ShellState, StateChange, VariableTest } from "./shell-state.ts";
import type { DumpFields } from "./read-fields.ts";

/** How a program is started, as of `CommandSpec`. */
export interface ShellStart {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** The login shell that starts one of the user's commands. */
export interface LoginCommand {
  /** The shell, by name or path. */
  readonly program: string;
  /** The words after the options: the script, and its name and parameters if it has them. */
  readonly words: readonly string[];
}

/** The inputs for asking a shell for its state. */
export interface Probe {
  /** The shell, by name or path. */
  readonly program: string;
  /** Marks the lines around each dump: a word that nothing else prints. */
  readonly nonce: string;
  /** All variables that it gets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute; there is nothing in it. */
  readonly folder: string;
}

/** One kind of shell: how its state is asked for, and given to another one. */
export interface ShellDialect {
  /** In a capture's folder. */
  readonly fileName: string;
  /** Starts a shell that dumps its state without a profile, and then one that dumps it after the profile. */
  toProbe(probe: Probe): ShellStart;
  /** The script that dumps the state of the shell that runs it. */
  toDump(nonce: string): string;
  /** The command, started without the profile, in the state that the file holds. `path` is the file's. */
  enter(command: LoginCommand, path: string): ShellStart;
  /** Null: the dump is incomplete. */
  parse(fields: DumpFields): ShellState | null;
  /** The file's text: what makes the state `before` into `after`. */
  render(change: StateChange, keeps: VariableTest): string;
  /** Of `home`: files that the shell reads, and folders whose files it reads; they may be missing. */
  profileFiles(home: string, environment: Readonly<Record<string, string>>): readonly string[];
}
