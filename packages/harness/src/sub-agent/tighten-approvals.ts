import type { ApprovalPolicy } from "@unroll/protocol";
import type { Approvals } from "../approval/approvals.ts";

/**
 * The approvals of a thread within those of its opener: what one of them refuses is refused, what one of them asks about is asked about, and
 * where nobody may say yes to the opener, nobody may to the thread.
 */
export function tightenApprovals(own: Approvals, opener: Approvals): Approvals {
  const policy = meet(own.policy, opener.policy);
  return {
    policy,
    rulesPolicy: meet(own.rulesPolicy, opener.rulesPolicy),
    toolPolicy: own.toolPolicy === "never" ? "never" : opener.toolPolicy,
    asksOfRules: own.asksOfRules && opener.asksOfRules,
    asksOfMcp: own.asksOfMcp && opener.asksOfMcp,
    asksOfTools: own.asksOfTools || opener.asksOfTools,
    person: opener.person === null || neverSaysYes(own.policy, opener.policy) ? null : own.person,
  };
}

function meet(own: ApprovalPolicy, opener: ApprovalPolicy): ApprovalPolicy {
  if (own === "untrusted" || opener === "untrusted") return "untrusted";
  return own === "never" || opener === "never" ? "never" : opener;
}

/** One asks about all that may change something, the other nobody: what is left is to read. */
function neverSaysYes(one: ApprovalPolicy, other: ApprovalPolicy): boolean {
  return [one, other].every((policy) => policy === "untrusted" || policy === "never") && one !== other;
}
