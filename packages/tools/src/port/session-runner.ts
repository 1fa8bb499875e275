import type { SessionSpec, SessionStart } from "@unroll/protocol";

/** Starts commands that are typed to while they run. Implemented by `sandbox`. */
export interface SessionRunner {
  /** An abort stops the command, as it does one of `CommandRunner`. */
  openSession(spec: SessionSpec, signal: AbortSignal): Promise<SessionStart>;
}
