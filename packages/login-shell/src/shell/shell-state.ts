/** The state of a shell: all of it that commands can see and that another shell can take over. */
export interface ShellState {
  /** Absolute, as the shell names it. */
  readonly cwd: string;
  /** Statements that declare each variable with its value, by its name. */
  readonly variables: ReadonlyMap<string, string>;
  /** Statements about variables that have an attribute and no value, by their names. */
  readonly attributes: ReadonlyMap<string, string>;
  /** The definitions of all functions, one text. */
  readonly functions: string;
  /** For each function, by its name: the statement that gives it its attributes. */
  readonly functionAttributes: ReadonlyMap<string, string>;
  /** Statements that define all aliases, one text. */
  readonly aliases: string;
  /** Statements that switch the options that only this shell has, each on or off. */
  readonly switches: readonly string[];
  /** Names of options of `set -o` that are on. */
  readonly options: readonly string[];
  /** Statements that set all traps, one text. */
  readonly traps: string;
  /** As `umask` prints it. */
  readonly mask: string;
  /** By the letters of `ulimit`. */
  readonly softLimits: ReadonlyMap<string, string>;
  readonly hardLimits: ReadonlyMap<string, string>;
  /** The positional parameters. */
  readonly parameters: readonly string[];
  /** `$?` as a script finds it. */
  readonly status: number;
  /** Parts of the state that cannot be restored, as ends of a sentence that begins with "the profile". */
  readonly unkept: readonly string[];
}

/** The part of `after` that another shell in the state `before` does not have; what a command must not see left out. */
export interface StateChange {
  readonly before: ShellState;
  readonly after: ShellState;
}

/** Whether a variable may be given on, by its name and the statement that declares it. */
export type VariableTest = (name: string, declaration: string) => boolean;
