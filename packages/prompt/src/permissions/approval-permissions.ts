import type { ApprovalPolicy, SandboxMode } from "@unroll/protocol";

/** When a person is asked, in paragraphs. */
export function describeApprovals(policy: ApprovalPolicy, mode: SandboxMode): string {
  const isConfined = mode !== "danger-full-access";
  return [`# Approvals: ${policy}`, ...approvalTexts[policy](isConfined)].join("\n\n");
}

const approvalTexts: Readonly<Record<ApprovalPolicy, (isConfined: boolean) => readonly string[]>> = {
  untrusted: describeUntrusted,
  "on-failure": describeOnFailure,
  "on-request": (isConfined) => (isConfined ? escalationTexts : nothingToEscalateTexts),
  never: describeNever,
};

/** A person sees every command that may change something. */
function describeUntrusted(isConfined: boolean): readonly string[] {
  const escalation = isConfined
    ? ' Where such a command also has to leave the sandbox, set `sandbox_permissions` to "require_escalated" and say why in `justification`, in one sentence for the person.'
    : "";
  return [
    `Only commands that are known to read and nothing else (\`ls\`, \`cat\`, \`rg\`, \`git status\`, \`git diff\` and their like) run unasked. Every other command is shown to the person first, who may say no.${escalation}`,
    "Make that easy for them: use the plain readers to look around, one clear command a call instead of scripts and long chains, and nothing that you do not need. No means no: follow what they say instead, and do not get the same effect another way.",
  ];
}

/** The harness asks when the sandbox has stopped something. */
function describeOnFailure(isConfined: boolean): readonly string[] {
  const rule = isConfined
    ? 'Every command runs in the sandbox at once. When the sandbox stops one while its call waits for it, the harness asks the person whether to run it again outside, and you get the result of whichever run came last. So run what the task needs, plainly, and leave `sandbox_permissions` unset. Of a command that was left running the harness does not ask: where the sandbox stopped such a one, run it again with `sandbox_permissions` "require_escalated" and say why in `justification`.'
    : "Commands run at once. One that can destroy a lot may be shown to the person first.";
  return [
    `${rule} A question interrupts somebody: do not run what is sure to be stopped when there is a way that is not. No means no: follow what they say instead, and do not get the same effect another way.`,
  ];
}

/** The model asks, through the tool call itself. */
const escalationTexts = [
  `Inside the sandbox commands run unasked. One that has to run outside it needs a yes from the person, and the tool call is how you ask. Give it two more arguments:
- \`sandbox_permissions\`: "require_escalated"
- \`justification\`: a sentence by which they can decide: what the command does, and what in the task hangs on it ("Installs what the lock file pins; the tests cannot start without it.").
They see both, the command and the sentence, so no message has to go before.`,
  "It is worth a question when the task needs the command, and the sandbox stopped it or is bound to: a write outside the writable folders, a download, a service on another machine. Look first for a way that stays inside: a cache or build folder moved into the workspace, an offline flag, a copy that is there already. Ask for one plain command with one purpose, never for a shell or a chain to do more in, and never to delete or overwrite what the task does not name.",
  "No means no: follow what they say instead, or finish without that step and say what is missing. Do not get the same effect another way.",
];

const nothingToEscalateTexts = [
  "There is no sandbox to step out of, so leave `sandbox_permissions` unset. A command that can destroy a lot may still be shown to the person first. When they say no, follow what they say instead, and do not get the same effect another way.",
];

/** Nobody is there to ask. */
function describeNever(isConfined: boolean): readonly string[] {
  const limits = isConfined
    ? 'A command stays within the sandbox or fails. Do not set `sandbox_permissions` to "require_escalated": it is refused.'
    : "What the rules of this machine forbid, or would show to a person first, is refused.";
  return [
    `Nobody can answer a question or approve a command while you work. ${limits} A refusal is final for that command: do not repeat it or dress it up as another.`,
    "Look for a way within the limits, do all of the task that they allow, and check it as far as they allow. In your last message say what could not be done and why, with the exact command that the person can run themselves.",
  ];
}
