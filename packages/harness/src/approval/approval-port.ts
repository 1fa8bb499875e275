import type { ApprovalDecision, ApprovalQuestion } from "@unroll/protocol";

/** A person, or a program that answers for one. Implemented by the app; without one nothing is asked and all is refused. */
export interface ApprovalPort {
  /** Waits for the answer. Rejects with the signal's reason when the turn is interrupted. */
  decide(request: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalDecision>;
}
