import type { FormAnswer, FormQuestion } from "@unroll/protocol";

/** A server asks the person for something, by a form, in the middle of a call. */
export type McpElicitation = Pick<FormQuestion, "server" | "message" | "fields">;

/** Shows the form and waits for the person; `signal` aborts when the answer is no longer wanted. */
export type ElicitationPort = (request: McpElicitation, signal: AbortSignal) => Promise<FormAnswer>;
