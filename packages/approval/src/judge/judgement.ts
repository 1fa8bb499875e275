import type { ApprovalPolicy, ApprovalQuestion, SandboxPolicy } from "@unroll/protocol";
import type { CallVerdict, RunVerdict } from "@unroll/tools";

/** The result of judging a call, before anyone is asked. */
export type Judgement = CallVerdict | AskJudgement;

export interface AskJudgement {
  readonly type: "ask";
  readonly question: ApprovalQuestion;
  /** The verdict if the user approves. */
  readonly verdict: RunVerdict;
  /**
   * Approving for the thread covers these subjects: a later call whose subjects are all covered asks no question.
   * Empty: each call is asked about.
   */
  readonly kept: readonly ApprovalSubject[];
}

/** Where a call is judged: what holds at this moment. */
export interface JudgePlace {
  readonly threadId: string;
  readonly itemId: string;
}

export const runInside: RunVerdict = { type: "run", confinement: "policy" };

/** Identifies a repeated question; can be written as JSON. */
type ApprovalSubject = readonly unknown[];

/** The sandbox and policy under which an approval was given. */
interface ApprovalGround {
  readonly sandbox: SandboxPolicy;
  /** Which asks. */
  readonly policy: ApprovalPolicy;
}

/** An approval holds only under the same policy and the same kind of sandbox. */
export function toApprovalKey(subject: ApprovalSubject, { sandbox, policy }: ApprovalGround): string {
  const walls = sandbox.mode === "workspace-write" ? [sandbox.mode, sandbox.network.type] : [sandbox.mode];
  return JSON.stringify([...subject, { walls, policy }]);
}
