import type { ApprovalPolicy } from "@unroll/protocol";
import type { Approvals } from "./approvals.ts";
import { policyTraits } from "./policy-traits.ts";

/**
 * The approvals of a thread within those of its opener: what one of them refuses is refused, what one of them asks about is asked about, and
 * where nobody may say yes to the opener, nobody may to the thread.
 */
export function tightenApprovals(own: Approvals, opener: Approvals): Approvals {
  const policy = meet(own.policy, opener.policy);
  return {
    policy,
    rulesPolicy: meet(own.rulesPolicy, opener.rulesPolicy),
    toolPolicy: policyTraits[own.toolPolicy].asks ? opener.toolPolicy : own.toolPolicy,
    asksOfRules: own.asksOfRules && opener.asksOfRules,
    asksOfMcp: own.asksOfMcp && opener.asksOfMcp,
    asksOfTools: own.asksOfTools || opener.asksOfTools,
    person: opener.person === null || neverSaysYes(own.policy, opener.policy) ? null : own.person,
  };
}

function meet(own: ApprovalPolicy, opener: ApprovalPolicy): ApprovalPolicy {
  const both = [own, opener];
  return (
    both.find((policy) => policyTraits[policy].isWary) ?? both.find((policy) => !policyTraits[policy].asks) ?? opener
  );
}

/** One asks about all that may change something, the other nobody: what is left is to read. */
function neverSaysYes(one: ApprovalPolicy, other: ApprovalPolicy): boolean {
  const isOf = (wary: ApprovalPolicy, silent: ApprovalPolicy): boolean =>
    policyTraits[wary].isWary && !policyTraits[silent].asks;
  return isOf(one, other) || isOf(other, one);
}
