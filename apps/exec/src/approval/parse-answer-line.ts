import { type Answer, findRestraint } from "@unroll/protocol";
import { describeJsonFault } from "@unroll/text";
import * as z from "zod";

export type AnswerLine =
  /** `answer` is null if the line does not answer any question; `limit` is then the member that limits the answer in an unknown way, if any. */
  | { readonly type: "answer"; readonly id: string; readonly answer: Answer | null; readonly limit: string | null }
  | { readonly type: "fault"; readonly message: string };

const formValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

const answerSchema: z.ZodType<Answer> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("approved.once") }),
  z.object({ type: z.literal("approved.thread") }),
  z.object({ type: z.literal("approved.edits") }),
  z.object({ type: z.literal("approved.hosts") }),
  z.object({ type: z.literal("approved.always"), prefix: z.array(z.string()) }),
  z.object({ type: z.literal("postponed") }),
  z.object({ type: z.literal("denied"), reason: z.string().nullable().default(null) }),
  z.object({ type: z.literal("answered"), answers: z.record(z.string(), z.array(z.string())) }),
  z.object({ type: z.literal("dismissed") }),
  z.object({ type: z.literal("accepted"), values: z.record(z.string(), formValue) }),
  z.object({ type: z.literal("declined") }),
  z.object({ type: z.literal("cancelled") }),
]);

const lineSchema = z.object({ id: z.string(), answer: z.record(z.string(), z.unknown()) });

/** One line of a program that answers. The gate decides whether the answer fits its question; if not, it counts as a denial. */
export function parseAnswerLine(line: string): AnswerLine {
  const fault = describeJsonFault(line);
  if (fault !== null) return { type: "fault", message: `it is not JSON: ${fault}.` };
  const value: unknown = JSON.parse(line);
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) return { type: "fault", message: `{"id": …, "answer": {…}} is expected.` };
  const { id, answer } = parsed.data;
  const { values: _values, answers: _answers, ...said } = answer; // free members
  const limit = findRestraint({ ...Object(value), answer: said });
  if (limit !== null) return { type: "answer", id, answer: null, limit: limit.join(".") };
  return { type: "answer", id, answer: answerSchema.safeParse(answer).data ?? null, limit: null };
}
