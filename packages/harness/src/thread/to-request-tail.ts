import type { ResolvedConfig } from "@unroll/config";
import type { RequestTail } from "@unroll/core";

/** Settings that the model family does not know are left out: servers refuse them. */
export function toRequestTail(config: ResolvedConfig): RequestTail {
  const { modelFamily: family, reasoningEffort: effort, reasoningSummary: summary, verbosity } = config;
  const reasoning = { ...(effort === null ? {} : { effort }), ...(summary === "none" ? {} : { summary }) };
  return {
    ...(family.supportsReasoning ? { reasoning } : {}),
    ...(family.supportsVerbosity && verbosity !== null ? { verbosity } : {}),
  };
}
