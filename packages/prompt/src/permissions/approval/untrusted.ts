import type { SandboxMode } from "@unroll/protocol";

/** `untrusted`: a person sees every command that may change something. */
export function describeUntrusted(mode: SandboxMode): string {
  const escalation =
    mode === "danger-full-access"
      ? ""
      : ' Where such a command also has to leave the sandbox, set `sandbox_permissions` to "require_escalated" and say why in `justification`, in one sentence for the person.';
  return [
    "# Approvals: untrusted",
    `Only commands that are known to read and nothing else (\`ls\`, \`cat\`, \`rg\`, \`git status\`, \`git diff\` and their like) run unasked. Every other command is shown to the person first, who may say no.${escalation}`,
    "Make that easy for them: use the plain readers to look around, one clear command a call instead of scripts and long chains, and nothing that you do not need. No means no: follow what they say instead, and do not get the same effect another way.",
  ].join("\n\n");
}
