import type { ResolvedConfig } from "@unroll/config";
import type { RecordedSettings } from "@unroll/protocol";

/** What is written down of the settings that hold from here on. */
export function toRecordedSettings(config: ResolvedConfig): RecordedSettings {
  const { cwd, model, approvalPolicy, sandboxSettings } = config;
  const { reasoningEffort, reasoningSummary, reasoningContext, verbosity } = config;
  const sent = { reasoningEffort, reasoningSummary, reasoningContext, verbosity };
  return { cwd, model, approvalPolicy, sandboxMode: sandboxSettings.mode, ...sent };
}
