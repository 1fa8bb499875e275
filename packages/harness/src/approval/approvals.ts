import type { ApprovalPolicy, Person, Question } from "@unroll/protocol";
import { takesQuestion } from "@unroll/tools";

/** What the approval policy comes to, and who is asked. */
export interface Approvals {
  readonly policy: ApprovalPolicy;
  /** Null: nobody is there for any approval. */
  readonly person: Person | null;
}

const kinds: readonly Question["type"][] = ["command.approval", "patch.approval", "tool.approval"];

/**
 * To be resolved once, and read by all who tell or ask: the gate, and the prompt. Where nobody takes approvals, `never` is
 * what `on-request` and `on-failure` come to; `untrusted` keeps its questions, and each is answered by a no.
 */
export function resolveApprovals(policy: ApprovalPolicy, person: Person | null): Approvals {
  if (kinds.some((kind) => takesQuestion(person, kind))) return { policy, person };
  return { policy: policy === "untrusted" ? "untrusted" : "never", person: null };
}
