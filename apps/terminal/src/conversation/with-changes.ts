import type { ResolvedConfig } from "@unroll/config";

/** What the config says of another model, with all else as it is in this program now. */
export function withChanges(loaded: ResolvedConfig, now: ResolvedConfig): ResolvedConfig {
  const { model, modelFamily, compaction } = loaded;
  return { ...now, model, modelFamily, compaction };
}
