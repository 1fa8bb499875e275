import type { ApprovalPolicy } from "@unroll/protocol";
import type { TerminalCommand } from "../terminal-command.ts";

const approvalPolicies: readonly { readonly value: ApprovalPolicy; readonly description: string }[] = [
  { value: "untrusted", description: "asks before all but commands that are known to only read" },
  { value: "on-request", description: "asks where the model wants out of the sandbox, and where a rule says so" },
  { value: "on-failure", description: "asks when the sandbox stopped a command" },
  { value: "never", description: "never asks; what would be asked is refused" },
];

export const approvalsCommand: TerminalCommand = {
  name: "approvals",
  description: "when you are asked",
  argument: "[untrusted|on-request|on-failure|never]",
  timing: "always",
  async run({ conversation, plan, choose, tell }, argument) {
    if (plan.isOn) return tell("Plan mode is on, which only reads: /plan off first.");
    const now = conversation.config.approvalPolicy;
    const options = approvalPolicies.map(({ value, description }) => ({ value, label: value, description }));
    const wish = argument === "" ? await choose({ title: `When you are asked (now: ${now})`, options }) : argument;
    if (wish === null) return;
    const found = approvalPolicies.find(({ value }) => value === wish);
    if (found === undefined)
      return tell(`There is no policy "${wish}": ${approvalPolicies.map(({ value }) => value).join(", ")}.`);
    conversation.change({ approvalPolicy: found.value });
    tell(`Approvals: ${found.value}: ${found.description}. The model is told with its next request.`);
  },
};
