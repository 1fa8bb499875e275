import type { ApprovalPolicy } from "@unroll/protocol";

/** What a policy comes to where nobody can be asked: `untrusted` keeps its questions, and each is answered by a no. */
export function toUnattended(policy: ApprovalPolicy): ApprovalPolicy {
  return policy === "untrusted" ? "untrusted" : "never";
}

/** For the model: why, and how to go on. */
export function refuseUnattended(reason: string): string {
  return `${reason} Nobody is here to approve it: go another way, or say in the end what was needed.`;
}
