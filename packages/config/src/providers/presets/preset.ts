import type { ServerFeatures, ThreadHeaders } from "@unroll/protocol";

/** What a server is sent where the user says nothing of it. */
export interface Preset {
  readonly takes: ServerFeatures;
  /** How it is told which requests belong to one thread. */
  readonly threadHeaders: ThreadHeaders;
}
