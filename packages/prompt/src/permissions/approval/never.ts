import type { SandboxMode } from "@unroll/protocol";

/** `never`: nobody is there to ask. */
export function describeNever(mode: SandboxMode): string {
  const limits =
    mode === "danger-full-access"
      ? "What the rules of this machine forbid, or would show to a person first, is refused."
      : 'A command stays within the sandbox or fails. Do not set `sandbox_permissions` to "require_escalated": it is refused.';
  return [
    "# Approvals: never",
    `Nobody can answer a question or approve a command while you work. ${limits} A refusal is final for that command: do not repeat it or dress it up as another.`,
    "Look for a way within the limits, do all of the task that they allow, and check it as far as they allow. In your last message say what could not be done and why, with the exact command that the person can run themselves.",
  ].join("\n\n");
}
