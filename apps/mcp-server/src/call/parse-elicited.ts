import * as z from "zod";

/** What came back of a question, in the words of clients of several ages. */
export type Elicited =
  /** `content` is empty where the client shows no form. */
  | { readonly type: "accepted"; readonly content: Readonly<Record<string, unknown>> }
  /** As clients of the Codex CLI's server (0.92) say it. */
  | { readonly type: "decided"; readonly decision: string }
  | { readonly type: "declined" }
  | { readonly type: "cancelled" }
  /** None of these: it may mean anything, and so it is no yes. */
  | { readonly type: "unreadable" };

const elicitedSchema = z.union([
  z.object({ action: z.literal("decline") }),
  z.object({ action: z.literal("cancel") }),
  z.object({ action: z.literal("accept").optional(), decision: z.string() }),
  z.object({
    action: z.literal("accept"),
    content: z.record(z.string(), z.unknown()).nullish(),
    decision: z.undefined().optional(),
  }),
]);

/** MCP's own answer, or the one of a client of the Codex CLI's server. Takes whatever came; nothing of it is guessed. */
export function parseElicited(value: unknown): Elicited {
  const { data } = elicitedSchema.safeParse(value);
  if (data === undefined) return { type: "unreadable" };
  if ("decision" in data && data.decision !== undefined) return { type: "decided", decision: data.decision };
  switch (data.action) {
    case "decline":
      return { type: "declined" };
    case "cancel":
      return { type: "cancelled" };
    case "accept":
      return { type: "accepted", content: ("content" in data && data.content) || {} };
    case undefined:
      return { type: "unreadable" };
  }
}
