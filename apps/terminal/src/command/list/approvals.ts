import type { ApprovalPolicy } from "@unroll/protocol";
import { chooseNamed, listNames } from "../choose-named.ts";
import type { TerminalCommand } from "../terminal-command.ts";

// By name, so that a new one does not compile before it can be chosen.
const named: { readonly [Policy in ApprovalPolicy]: { readonly value: Policy; readonly description: string } } = {
  untrusted: { value: "untrusted", description: "asks before all but commands that are known to only read" },
  "on-request": {
    value: "on-request",
    description: "asks where the model wants out of the sandbox, and where a rule says so",
  },
  "on-failure": { value: "on-failure", description: "asks when the sandbox stopped a command" },
  never: { value: "never", description: "asks for no approval; what would need one is refused" },
};
const approvalPolicies = Object.values(named);

export const approvalsCommand: TerminalCommand = {
  name: "approvals",
  description: "when you are asked",
  argument: listNames(approvalPolicies),
  timing: "always",
  async run(context, argument) {
    const { conversation, plan, tell } = context;
    if (plan.isOn) return tell("Plan mode is on, which only reads: /plan off first.");
    const title = `When you are asked (now: ${conversation.config.approvalPolicy})`;
    const found = await chooseNamed(context, argument, { title, noun: "policy", options: approvalPolicies });
    if (found === null) return;
    conversation.change({ approvalPolicy: found.value });
    tell(`Approvals: ${found.value}: ${found.description}. The model is told with its next request.`);
  },
};
