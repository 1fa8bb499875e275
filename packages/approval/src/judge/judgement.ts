import type { ApprovalPolicy, ApprovalQuestion, SandboxPolicy } from "@unroll/protocol";
import type { CallVerdict, RunVerdict } from "@unroll/tools";

/** What is known of a call before anybody is asked. */
export type Judgement = CallVerdict | AskJudgement;

export interface AskJudgement {
  readonly type: "ask";
  readonly question: ApprovalQuestion;
  /** What a yes comes to. */
  readonly verdict: RunVerdict;
  /** What a yes for the thread is kept of: no question where it was of all. Empty: each call is asked about. */
  readonly kept: readonly ApprovalSubject[];
}

/** Where a call is judged: what holds at this moment. */
export interface JudgePlace {
  readonly threadId: string;
  readonly itemId: string;
}

export const runInside: RunVerdict = { type: "run", confinement: "policy" };

/** What is the same when it is asked about again; can be written as JSON. */
type ApprovalSubject = readonly unknown[];

/** What a yes was given under. */
interface ApprovalGround {
  readonly sandbox: SandboxPolicy;
  /** Which asks. */
  readonly policy: ApprovalPolicy;
}

/** A yes counts where it was given: within walls of the same kind, under the same policy. */
export function toApprovalKey(subject: ApprovalSubject, { sandbox, policy }: ApprovalGround): string {
  const walls = sandbox.mode === "workspace-write" ? [sandbox.mode, sandbox.network.type] : [sandbox.mode];
  return JSON.stringify([...subject, { walls, policy }]);
}
