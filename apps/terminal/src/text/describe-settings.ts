import type { ResolvedConfig } from "@unroll/harness";

/** The settings of a thread in one line, without a full stop. */
export function describeSettings({ model, reasoningEffort, sandboxSettings, approvalPolicy }: ResolvedConfig): string {
  const effort = reasoningEffort === null ? "" : ` ${reasoningEffort}`;
  return `${model}${effort}, sandbox ${sandboxSettings.mode}, approvals ${approvalPolicy}`;
}

/** The message after a thread was resumed. */
export function describeResumed(thread: {
  readonly id: string;
  readonly config: ResolvedConfig;
  readonly isPlanning: boolean;
}): string {
  return `Resumed thread ${thread.id}: ${describeSettings(thread.config)}${thread.isPlanning ? ", plan mode" : ""}.`;
}
