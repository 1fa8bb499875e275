import type { ResolvedConfig } from "@unroll/config";
import { carryEffort } from "@unroll/program";

/** What the config says of another model, with all else as it is in this program now. */
export function withChanges(loaded: ResolvedConfig, now: ResolvedConfig): ResolvedConfig {
  const { model, modelFamily, compaction } = loaded;
  const { reasoningEffort, reasoningContext, verbosity, origins } = carryEffort(loaded, now);
  return { ...now, model, modelFamily, compaction, reasoningEffort, reasoningContext, verbosity, origins };
}

/** The config that was loaded, where another provider answers; with what was changed since the start. */
export function withProvider(loaded: ResolvedConfig, now: ResolvedConfig): ResolvedConfig {
  const { approvalPolicy, approvalQuestions, sandboxSettings } = now;
  return { ...carryEffort(loaded, now), approvalPolicy, approvalQuestions, sandboxSettings };
}
