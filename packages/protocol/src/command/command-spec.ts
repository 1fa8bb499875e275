/** A command to run, before any sandbox is put around it. */
export interface CommandSpec {
  /** Program and arguments; `argv[0]` is looked up on the command's PATH. Never empty. */
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** In ms; the whole process tree is stopped after it. */
  readonly timeoutMs: number;
  /** How many bytes of output are kept; more is cut out of the middle. */
  readonly maxOutputBytes: number;
  /** `policy`: inside the thread's sandbox. `none`: outside it, after an approval that allows that. */
  readonly confinement: "policy" | "none";
  /** The item of the call that it is for, in reports of the hosts that it reaches. Absent: none. */
  readonly itemId?: string;
  /** Set in the command's environment over everything else: the verdict that lets it run counts on it. Absent: nothing. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A piece of output in order of arrival; decoded text, never a half character. */
export interface CommandOutput {
  readonly type: "output";
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}
