import { findProject, type ResolvedConfig } from "@unroll/config";
import type { ThreadChange } from "./thread-change.ts";

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
  };
}
