import { findProject } from "../layer/project-layer.ts";
import { findPermissions } from "./find-permissions.ts";
import type { ResolvedConfig } from "../resolved-config.ts";

/**
 * The settings that can change within a thread. An absent member stays, with one exception: another
 * `approvalPolicy` without new `approvalQuestions` clears those of the old policy, and other `sandboxSettings`
 * without a `permissionProfile` are those of none. The model gets a message about changes that concern
 * it; nothing that was sent changes.
 */
export type ThreadChange = Partial<
  Pick<
    ResolvedConfig,
    | "cwd"
    | "approvalPolicy"
    | "approvalQuestions"
    | "sandboxSettings"
    | "permissionProfile"
    | "reasoningEffort"
    | "reasoningSummary"
    | "verbosity"
  >
>;

/**
 * The config with a change and its consequences: another folder belongs to another project, which
 * you trust or not, and has its own paths of the permission profile; another policy has no granular
 * questions.
 */
export function applyChange(config: ResolvedConfig, change: ThreadChange): ResolvedConfig {
  const { cwd, approvalPolicy, sandboxSettings } = change;
  const { permissionProfile: profile } = config;
  return {
    ...config,
    ...(cwd !== undefined && findProject(config, cwd)),
    ...(cwd !== undefined && profile !== null && findPermissions({ ...config, cwd }, profile)),
    ...(sandboxSettings !== undefined && { permissionProfile: null }),
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
