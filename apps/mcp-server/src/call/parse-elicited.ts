import { findRestraint } from "@unroll/protocol";
import * as z from "zod";

/** The client's answer to a question, in the forms of older and newer clients. */
export type Elicited =
  /** `content` is empty where the client shows no form. */
  | { readonly type: "accepted"; readonly content: Readonly<Record<string, unknown>> }
  /** As clients of the Codex CLI's server (0.92) say it. */
  | { readonly type: "decided"; readonly decision: string }
  | { readonly type: "declined" }
  | { readonly type: "cancelled" }
  /** None of these: it may mean anything, so it is not an approval. */
  | { readonly type: "unreadable" };

const elicitedSchema = z.union([
  z.object({ action: z.enum(["decline", "cancel"]) }).transform(({ action }) => ({ type: refusals[action] })),
  z
    .object({ action: z.literal("accept").optional(), decision: z.string(), content: z.strictObject({}).nullish() })
    .transform(({ decision }) => ({ type: "decided" as const, decision })),
  z
    .object({
      action: z.literal("accept"),
      content: z.record(z.string(), z.unknown()).nullish(),
      decision: z.undefined().optional(),
    })
    .transform(({ content }) => ({ type: "accepted" as const, content: content ?? {} })),
]);

const refusals = { decline: "declined", cancel: "cancelled" } as const;

/**
 * MCP's own answer, or the one of a client of the Codex CLI's server. Takes whatever came; nothing of it is guessed. Beside the
 * content, whose members are the form's, a limit makes it unreadable: nobody would keep it.
 */
export function parseElicited(value: unknown): Elicited {
  if (findRestraint({ ...Object(value), content: null }) !== null) return { type: "unreadable" };
  return elicitedSchema.safeParse(value).data ?? { type: "unreadable" };
}
