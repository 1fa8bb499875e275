import type { ApprovalPolicy } from "@unroll/protocol";
import { createPolicyCommand } from "../policy-command.ts";
import type { TerminalCommand } from "../terminal-command.ts";

// By name, so that a new policy does not compile before you can choose it.
const policies: { readonly [Policy in ApprovalPolicy]: { readonly value: Policy; readonly description: string } } = {
  untrusted: { value: "untrusted", description: "asks before every command that is not known to only read" },
  "on-request": {
    value: "on-request",
    description: "asks before a command leaves the sandbox, or if a rule says so",
  },
  "on-failure": { value: "on-failure", description: "asks when the sandbox has blocked a command" },
  never: { value: "never", description: "never asks; denies everything that needs approval" },
};

export const approvalsCommand: TerminalCommand = createPolicyCommand({
  name: "approvals",
  description: "choose when you are asked",
  noun: "policy",
  options: Object.values(policies),
  describeNow: () => "When should you be asked?",
  readNow: ({ approvalPolicy }) => approvalPolicy,
  toChange: ({ value }) => ({ approvalPolicy: value }),
  describe: ({ value, description }) =>
    `Approvals: ${value} (${description}). The model learns of it with the next request.`,
});
