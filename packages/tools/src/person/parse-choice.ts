import type { ChoiceAnswer } from "@unroll/protocol";
import * as z from "zod";

const choiceSchema: z.ZodType<ChoiceAnswer> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("answered"), answers: z.record(z.string(), z.array(z.string())) }),
  z.object({ type: z.literal("dismissed") }),
]);

/** What a person said to the model's questions; null where that is no answer. */
export function parseChoice(answer: unknown): ChoiceAnswer | null {
  return choiceSchema.safeParse(answer).data ?? null;
}
