import type { BackgroundCommandSpec, BackgroundCommandStart } from "@unroll/protocol";

/** Starts commands that are typed to while they run. Implemented by `sandbox`. */
export interface BackgroundCommandRunner {
  /** An abort stops the command, as it does one of `CommandRunner`. */
  openSession(spec: BackgroundCommandSpec, signal: AbortSignal): Promise<BackgroundCommandStart>;
}
