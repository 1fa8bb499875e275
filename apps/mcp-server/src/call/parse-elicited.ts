import * as z from "zod";

/** What came back of a question: members that clients of several ages give. */
export type Elicited = z.infer<typeof elicitedSchema>;

/**
 * MCP's own answer, and beside it the one of the Codex CLI's server (0.92), whose clients say `decision` alone. What does not fit is
 * none.
 */
export const elicitedSchema: z.ZodObject<{
  action: z.ZodCatch<z.ZodNullable<z.ZodEnum<{ accept: "accept"; decline: "decline"; cancel: "cancel" }>>>;
  content: z.ZodCatch<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
  decision: z.ZodCatch<z.ZodNullable<z.ZodString>>;
}> = z.object({
  action: z.enum(["accept", "decline", "cancel"]).nullable().catch(null),
  content: z.record(z.string(), z.unknown()).catch({}),
  decision: z.string().nullable().catch(null),
});
