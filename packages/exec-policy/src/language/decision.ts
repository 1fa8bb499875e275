/** A policy's decision on a command: run it, ask a person first, or refuse it. */
export type Decision = "allow" | "prompt" | "forbidden";

const severity: Readonly<Record<Decision, number>> = { allow: 0, prompt: 1, forbidden: 2 };

/** The strictest of several decisions; `allow` for none. */
export function strictestDecision(decisions: readonly Decision[]): Decision {
  return decisions.reduce((strictest, next) => (severity[next] > severity[strictest] ? next : strictest), "allow");
}
