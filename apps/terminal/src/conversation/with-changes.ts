import type { ResolvedConfig } from "@unroll/config";

/** What the config says of another model, with all else as it is in this program now. */
export function withChanges(loaded: ResolvedConfig, now: ResolvedConfig): ResolvedConfig {
  const { model, modelFamily, compaction } = loaded;
  return { ...now, model, modelFamily, compaction };
}

/** The config that was loaded, where another provider answers; with what was changed since the start. */
export function withProvider(loaded: ResolvedConfig, now: ResolvedConfig): ResolvedConfig {
  const { approvalPolicy, approvalQuestions, sandboxSettings, reasoningEffort } = now;
  return { ...loaded, approvalPolicy, approvalQuestions, sandboxSettings, reasoningEffort };
}
