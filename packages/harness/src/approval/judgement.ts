import type { ApprovalQuestion } from "@unroll/protocol";
import type { CallVerdict, RunVerdict } from "@unroll/tools";

/** What is known of a call before anybody is asked. */
export type Judgement = CallVerdict | AskJudgement;

export interface AskJudgement {
  readonly type: "ask";
  readonly question: ApprovalQuestion;
  /** What a yes comes to. */
  readonly verdict: RunVerdict;
  /** What a yes for the thread is kept under: no question where all are. Empty: each call is asked about. */
  readonly keys: readonly string[];
}

/** Where a call is judged: what holds at this moment. */
export interface JudgePlace {
  readonly threadId: string;
  readonly itemId: string;
}

export const runInside: RunVerdict = { type: "run", confinement: "policy" };

/** The same thing, asked about again. */
export function toApprovalKey(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}
