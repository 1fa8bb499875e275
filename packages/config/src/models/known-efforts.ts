import type { ReasoningEffort } from "@unroll/protocol";

/** Levels that some model is known to take, least first; a server may take more. */
export const knownEfforts: readonly ReasoningEffort[] = [
  "none",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
  "ultra",
  "persistent",
];
