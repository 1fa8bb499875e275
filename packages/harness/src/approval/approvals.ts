import type { ApprovalPolicy, Person, Question } from "@unroll/protocol";
import { takesQuestion } from "@unroll/tools";

/** What the approval policy comes to, and who is asked. */
export interface Approvals {
  /** For commands and patches; what the model is told. */
  readonly policy: ApprovalPolicy;
  /** For tools of MCP servers and of the program. */
  readonly toolPolicy: ApprovalPolicy;
  /** Null: nobody is there. */
  readonly person: Person | null;
}

/**
 * To be resolved once, and read by all who tell or ask: the gate, and the prompt. Who takes only one of the approvals of
 * commands and patches counts as nobody for both: the model is told one policy.
 */
export function resolveApprovals(configured: ApprovalPolicy, person: Person | null): Approvals {
  const resolve = (...kinds: readonly Question["type"][]): ApprovalPolicy =>
    kinds.every((kind) => takesQuestion(person, kind)) ? configured : toUnattended(configured);
  return { policy: resolve("command.approval", "patch.approval"), toolPolicy: resolve("tool.approval"), person };
}

/** `never` is what `on-request` and `on-failure` come to; `untrusted` keeps its questions, and each is answered by a no. */
function toUnattended(policy: ApprovalPolicy): ApprovalPolicy {
  return policy === "untrusted" ? "untrusted" : "never";
}
