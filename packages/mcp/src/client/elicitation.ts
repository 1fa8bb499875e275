import type { FormAnswer, FormQuestion } from "@unroll/protocol";

/** A form that a server wants filled in during a call. */
export type McpElicitation = Pick<FormQuestion, "server" | "message" | "fields">;

/** Shows the form and waits for the user; `signal` aborts when the answer is no longer needed. */
export type ElicitationPort = (request: McpElicitation, signal: AbortSignal) => Promise<FormAnswer>;
