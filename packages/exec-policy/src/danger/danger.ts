/** Why a command is asked about whatever a permissive rule says. */
export interface Danger {
  /** Kebab-case, one for each kind. */
  readonly name: string;
  /** What the command would do, as a clause that follows "it": "deletes …". */
  readonly reason: string;
}

/** Where a command runs. */
export interface JudgeContext {
  /** The working folder; absolute. */
  readonly cwd: string;
  /** The person's home folder; absolute, null where it is not known. */
  readonly home: string | null;
}

/** The same within a script, which may change its folder. */
export interface DangerContext {
  /** Absolute paths of the folders that the command may run in. */
  readonly folders: readonly string[];
  /** Absolute; null where it is not known. */
  readonly home: string | null;
}
