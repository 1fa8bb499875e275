import type { ApprovalPolicy } from "@unroll/protocol";
import type { ApprovalQuestions } from "../resolved-config.ts";
import { commandKeys } from "../keys/command-keys.ts";
import type { ResolveContext } from "./resolve-context.ts";

export interface ResolvedApprovals {
  readonly policy: ApprovalPolicy;
  readonly questions: ApprovalQuestions | null;
}

/** A granular policy is `on-request` with fewer questions, or `never` but for what it names; what it does not name is not asked. */
export function resolveApprovals({ table }: Pick<ResolveContext, "table">): ResolvedApprovals {
  const policy = table.approval_policy ?? commandKeys.keys.approval_policy.default;
  if (typeof policy === "string") return { policy, questions: null };
  const { sandbox_approval: sandbox = false, rules = false, mcp_elicitations: mcp = false } = policy.granular;
  return { policy: sandbox ? "on-request" : "never", questions: { rules, mcp } };
}
