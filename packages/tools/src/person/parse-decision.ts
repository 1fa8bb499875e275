import type { ApprovalDecision, ApprovalQuestion, PrefixQuestion } from "@unroll/protocol";
import * as z from "zod";

/** The approvals are strict: one that says more than we know may mean a limit that we would not keep. */
const decisionSchema: z.ZodType<ApprovalDecision> = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("approved.once") }),
  z.strictObject({ type: z.literal("approved.thread") }),
  z.strictObject({ type: z.literal("approved.always"), prefix: z.array(z.string().min(1)).min(1) }),
  z.object({ type: z.literal("denied"), reason: z.string().nullable() }),
]);

/** Null for whatever is no answer to this question; "always" is one only where a prefix was proposed. */
export function parseDecision(question: ApprovalQuestion | PrefixQuestion, answer: unknown): ApprovalDecision | null {
  const decision = decisionSchema.safeParse(answer).data ?? null;
  if (decision?.type !== "approved.always") return decision;
  return question.type === "command.approval" && question.proposedPrefix !== null ? decision : null;
}
