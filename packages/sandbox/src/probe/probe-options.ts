import type { SandboxPolicy } from "@unroll/protocol";

export interface ProbeOptions {
  readonly policy: SandboxPolicy;
  /**
   * The working folder of the thread, absolute. No launcher is taken from there, even if commands
   * only read it.
   */
  readonly cwd: string;
  /** The folder that `findStateFolder` returns. */
  readonly stateFolder: string;
  /**
   * The variables of the commands. No launcher is taken from their PATH; if the system has none,
   * the refusal names one that is there.
   */
  readonly environment: Readonly<Record<string, string>>;
  /** The bubblewrap that the user's own config names; absolute. Absent or null: the system's. */
  readonly bubblewrap?: string | null;
  /** Returns a new unique id, such as a UUID. */
  readonly createId: () => string;
}
