import { isDeepStrictEqual } from "node:util";
import { applyChange, type ResolvedConfig, type ThreadChange } from "@unroll/config";
import { tightenSandbox } from "../sub-agent/tighten-sandbox.ts";

/** As a thread was opened and changed. */
export interface Wish {
  readonly config: ResolvedConfig;
  /** Settings that follow the parent's. */
  readonly followed: readonly ("sandbox" | "approvals")[];
  /** All that was changed since its model was chosen. */
  readonly changed: ThreadChange;
}

/** `of`: who says which sandbox and approvals the thread has. */
export function createWish(config: ResolvedConfig, of: "parent" | "itself"): Wish {
  return { config, followed: of === "parent" ? ["sandbox", "approvals"] : [], changed: {} };
}

/** `now`: the current config, including what follows the parent's. */
export function changeWish({ config, followed, changed }: Wish, now: ResolvedConfig, change: ThreadChange): Wish {
  const { approvalPolicy, approvalQuestions } = now;
  const isNamed = {
    sandbox: change.sandboxSettings !== undefined,
    approvals: change.approvalPolicy !== undefined || change.approvalQuestions !== undefined,
  };
  return {
    config: applyChange({ ...config, approvalPolicy, approvalQuestions }, change),
    followed: followed.filter((name) => !isNamed[name]),
    // questions belong to the policy that they were set with
    changed: { ...changed, ...(change.approvalPolicy !== undefined && { approvalQuestions: null }), ...change },
  };
}

/** A wish, limited to what the parent may do. */
export function boundConfig({ config, followed }: Wish, opener: ResolvedConfig): ResolvedConfig {
  const { approvalPolicy, approvalQuestions } = followed.includes("approvals") ? opener : config;
  const wished = followed.includes("sandbox") ? opener.sandboxSettings : config.sandboxSettings;
  const sandboxSettings = tightenSandbox(wished, opener.sandboxSettings);
  const bound = { ...config, approvalPolicy, approvalQuestions, sandboxSettings };
  return isDeepStrictEqual(pickBound(bound), pickBound(config)) ? config : bound; // who has the same config shares looks
}

function pickBound({ approvalPolicy, approvalQuestions, sandboxSettings }: ResolvedConfig): ThreadChange {
  return { approvalPolicy, approvalQuestions, sandboxSettings };
}
