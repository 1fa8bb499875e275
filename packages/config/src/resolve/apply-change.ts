import { findProject } from "../layer/project-layer.ts";
import type { ResolvedConfig } from "../resolved-config.ts";

/**
 * What can change within a thread. Absent: it stays, but `approvalQuestions`, which belong to the policy that they were set with: with another
 * `approvalPolicy` and without new ones there are none. The model is told of what concerns it; nothing that was sent changes.
 */
export type ThreadChange = Partial<
  Pick<
    ResolvedConfig,
    | "cwd"
    | "approvalPolicy"
    | "approvalQuestions"
    | "sandboxSettings"
    | "reasoningEffort"
    | "reasoningSummary"
    | "verbosity"
  >
>;

/**
 * The config with a change, and with what hangs on what was changed: another folder has another project, which the user trusts or not, and
 * another policy has no question of a granular one.
 */
export function applyChange(config: ResolvedConfig, change: ThreadChange): ResolvedConfig {
  const { cwd, approvalPolicy } = change;
  return {
    ...config,
    ...(cwd !== undefined && findProject(config, cwd)),
    ...(approvalPolicy !== undefined && { approvalQuestions: null }),
    ...change,
    origins: withChanged(config.origins, change),
  };
}

const keys = {
  reasoningEffort: "model_reasoning_effort",
  reasoningSummary: "model_reasoning_summary",
  verbosity: "model_verbosity",
} as const;

function withChanged(origins: ResolvedConfig["origins"], change: ThreadChange): ResolvedConfig["origins"] {
  const changed = Object.entries(keys).filter(([name]) => Object.hasOwn(change, name));
  if (changed.length === 0) return origins;
  return new Map([...origins, ...changed.map(([, key]) => [key, { type: "thread" }] as const)]);
}
