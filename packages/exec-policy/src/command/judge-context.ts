/** Where a command runs. */
export interface JudgeContext {
  /** The working folder; absolute. */
  readonly cwd: string;
  /** The person's home folder; absolute, null where it is not known. */
  readonly home: string | null;
  /**
   * The programs that the repository at `cwd` makes git run, from `readGitSettings`. Without it
   * nothing is known, and commands that would run them (`git status`, `git diff`, `git show`) do
   * not count as reading.
   */
  readonly git?: GitSettings | null;
  /** Whether a program of the workspace has that name where programs are looked for: then nothing is known of what it stands for. */
  readonly isShadowed?: (name: string) => boolean;
  /**
   * Whether rules that allow a command count in a folder: an absolute path, which may hold `..` and links. `usesGit`: the
   * command obeys the repository that git finds from there. By default they count in the working folder and below it, by
   * the path alone.
   */
  readonly isRuleFolder?: (folder: string, usesGit: boolean) => boolean;
  /** Whether it is typed at a terminal, where keys edit, complete and recall lines, and not read as a script. By default it is not. */
  readonly isTyped?: boolean;
}

/** The effect of a repository's own settings, which a stranger may have written, on a git that reads. */
export interface GitSettings {
  /** Whether they name a program that git runs to read content: a filter, a diff driver, a hook. */
  readonly runsPrograms: boolean;
  /** Whether the repository holds others, whose settings nobody has looked at. */
  readonly hasSubmodules: boolean;
}

/** The same within a script, which may change its folder. */
export interface Reach {
  /** Absolute paths of the folders that the command may run in. */
  readonly folders: readonly string[];
  /** Absolute; null where it is not known. */
  readonly home: string | null;
}
