import type { ApprovalPolicy } from "@unroll/protocol";
import type { ConfigWarning } from "../fault/config-warning.ts";
import type { ApprovalQuestions } from "../resolved-config.ts";
import type { GranularPolicyTable } from "../schema/config-table.ts";
import { defaults } from "../schema/defaults.ts";
import type { ResolveContext } from "./resolve-context.ts";

export interface ResolvedApprovals {
  readonly policy: ApprovalPolicy;
  readonly questions: ApprovalQuestions | null;
  readonly warnings: readonly ConfigWarning[];
}

/** A granular policy is `on-request` with fewer questions, or `never`; what it does not name is not asked. */
export function resolveApprovals({ table, origins }: ResolveContext): ResolvedApprovals {
  const policy = table.approval_policy ?? defaults.approval_policy;
  if (typeof policy === "string") return { policy, questions: null, warnings: [] };
  const { sandbox_approval: sandbox = false, rules = false, mcp_elicitations: mcp = false } = policy.granular;
  const origin = origins.get("approval_policy");
  const warnings = narrow(policy).map((message): ConfigWarning => ({
    code: "approval_questions_narrowed",
    message,
    key: "approval_policy",
    ...(origin && { origin }),
  }));
  return { policy: sandbox ? "on-request" : "never", questions: { rules: sandbox && rules, mcp }, warnings };
}

function narrow({ granular }: GranularPolicyTable): readonly string[] {
  if (granular.sandbox_approval === true || granular.rules !== true) return [];
  return [
    "approval_policy: granular.rules = true asks nothing without sandbox_approval = true: what a rule would ask about is refused.",
  ];
}
