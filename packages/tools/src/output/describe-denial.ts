import type { CommandDenial } from "@unroll/protocol";

const howToAsk =
  'If the task needs it and somebody can approve (see the permissions message), call again with sandbox_permissions "require_escalated" and a justification. Where nobody can, go another way, or say in the end what was needed.';

/** Tells the model that a policy was in the way, which one, and how to ask: so that it takes no wall for an outage. */
export function describeDenial({ kind, confidence, reason }: CommandDenial): string {
  const cause = confidence === "certain" ? "The sandbox policy stopped this" : "The sandbox policy may be the cause";
  return `${cause} (${kind}): ${reason} ${howToAsk}`;
}

/** The same for a command that never ran, because the sandbox that it has to run in cannot be had. */
export function describeRefusal(message: string): string {
  return `${message} ${howToAsk}`;
}
