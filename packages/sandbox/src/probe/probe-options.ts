import type { SandboxPolicy } from "@unroll/protocol";

export interface ProbeOptions {
  readonly policy: SandboxPolicy;
  /** The working folder of the thread, absolute: no launcher is taken from there, not even where commands only read. */
  readonly cwd: string;
  /** As of `SandboxSetting`. */
  readonly stateFolder: string;
  /** Of the commands. Its PATH is where the launchers are looked for. */
  readonly environment: Readonly<Record<string, string>>;
  /** Gives a new unique id, such as a UUID. */
  readonly createId: () => string;
}
