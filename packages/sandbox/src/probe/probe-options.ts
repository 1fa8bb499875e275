import type { SandboxPolicy } from "@unroll/protocol";

export interface ProbeOptions {
  readonly policy: SandboxPolicy;
  /** The working folder of the thread, absolute: no launcher is taken from there, not even where commands only read. */
  readonly cwd: string;
  /** As of `SandboxSetting`. */
  readonly stateFolder: string;
  /** Of the commands. No launcher is taken from its PATH; one that is there is named where the system has none. */
  readonly environment: Readonly<Record<string, string>>;
  /** The bubblewrap that the user's own config names; absolute. Absent or null: the system's. */
  readonly bubblewrap?: string | null;
  /** Gives a new unique id, such as a UUID. */
  readonly createId: () => string;
}
