import type { ApprovalDecision, ApprovalQuestion, ChoiceAnswer, FormAnswer, PrefixQuestion } from "@unroll/protocol";
import * as z from "zod";

const choiceSchema: z.ZodType<ChoiceAnswer> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("answered"), answers: z.record(z.string(), z.array(z.string())) }),
  z.object({ type: z.literal("dismissed") }),
]);

/** Parses a reply to the model's questions; null: it is not an answer. */
export function parseChoice(answer: unknown): ChoiceAnswer | null {
  return choiceSchema.safeParse(answer).data ?? null;
}

/** The approvals are strict: one that says more than we know may mean a limit that we would not keep. */
const decisionSchema: z.ZodType<ApprovalDecision> = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("approved.once") }),
  z.strictObject({ type: z.literal("approved.thread") }),
  z.strictObject({ type: z.literal("approved.edits") }),
  z.strictObject({ type: z.literal("approved.hosts") }),
  z.strictObject({ type: z.literal("approved.always"), prefix: z.array(z.string().min(1)).min(1) }),
  z.strictObject({ type: z.literal("postponed") }),
  z.object({ type: z.literal("denied"), reason: z.string().nullable() }),
]);

/** Null for anything but an answer to this question; "always" is one only if a prefix was proposed. */
export function parseDecision(question: ApprovalQuestion | PrefixQuestion, answer: unknown): ApprovalDecision | null {
  const decision = decisionSchema.safeParse(answer).data ?? null;
  if (decision?.type === "approved.edits")
    return question.type === "patch.approval" && question.editFolders.length > 0 ? decision : null;
  if (decision?.type === "approved.hosts") return question.type === "host.approval" ? decision : null;
  if (decision?.type !== "approved.always") return decision;
  return question.type === "command.approval" && question.proposedPrefix !== null ? decision : null;
}

const valueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

const formSchema: z.ZodType<FormAnswer> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("accepted"), values: z.record(z.string(), valueSchema) }),
  z.object({ type: z.literal("declined") }),
  z.object({ type: z.literal("cancelled") }),
]);

/** Parses a reply to a server's form; null: it is not an answer. `mcp` checks the server's own schema. */
export function parseForm(answer: unknown): FormAnswer | null {
  return formSchema.safeParse(answer).data ?? null;
}
