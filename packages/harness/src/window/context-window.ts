import type { WindowOrigin } from "@unroll/protocol";

/** How large the context window of a thread's model is, and who says so. `origin` `guess`: nobody. */
export interface ContextWindow {
  readonly tokens: number;
  readonly origin: WindowOrigin;
}
