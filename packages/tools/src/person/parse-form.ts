import type { FormAnswer } from "@unroll/protocol";
import * as z from "zod";

const valueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

const formSchema: z.ZodType<FormAnswer> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("accepted"), values: z.record(z.string(), valueSchema) }),
  z.object({ type: z.literal("declined") }),
  z.object({ type: z.literal("cancelled") }),
]);

/** What a person said to a server's form; null where that is no answer. The server's own schema is checked by `mcp`. */
export function parseForm(answer: unknown): FormAnswer | null {
  return formSchema.safeParse(answer).data ?? null;
}
