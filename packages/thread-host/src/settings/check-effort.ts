import { explainUnsupportedEffort, type ResolvedConfig } from "@unroll/config";
import type { ThreadChange } from "@unroll/harness";
import { ThreadHostError } from "../thread-host-error.ts";

/** Before anything changes. Throws `ThreadHostError` `effort_unsupported`. */
export function checkEffort({ reasoningEffort }: ThreadChange, config: ResolvedConfig): void {
  const fault = reasoningEffort ? explainUnsupportedEffort(reasoningEffort, config) : null;
  if (fault !== null) throw new ThreadHostError("effort_unsupported", `effort: ${fault}`);
}
