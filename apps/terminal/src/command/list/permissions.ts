import type { ApprovalPolicy, SandboxMode } from "@unroll/protocol";
import { chooseNamed, listNames } from "../choose-named.ts";
import type { TerminalCommand } from "../terminal-command.ts";

interface Preset {
  readonly value: string;
  readonly sandbox: SandboxMode;
  readonly approvals: ApprovalPolicy;
  readonly description: string;
}

const presets: readonly Preset[] = [
  { value: "read", sandbox: "read-only", approvals: "on-request", description: "reads; asks before anything else" },
  {
    value: "work",
    sandbox: "workspace-write",
    approvals: "on-request",
    description: "works in this folder; asks before anything beyond it",
  },
  {
    value: "full",
    sandbox: "danger-full-access",
    approvals: "never",
    description: "no sandbox and no question: only where nothing can be broken",
  },
];

export const permissionsCommand: TerminalCommand = {
  name: "permissions",
  description: "sandbox and approvals at once",
  argument: listNames(presets),
  timing: "always",
  async run(context, argument) {
    const { conversation, plan, tell } = context;
    if (plan.isOn) return tell("Plan mode is on, which only reads: /plan off first.");
    const { sandboxSettings, approvalPolicy } = conversation.config;
    const title = `What the model may do (now: sandbox ${sandboxSettings.mode}, approvals ${approvalPolicy})`;
    const found = await chooseNamed(context, argument, { title, noun: "preset", options: presets });
    if (found === null) return;
    conversation.change({
      approvalPolicy: found.approvals,
      sandboxSettings: { ...sandboxSettings, mode: found.sandbox },
    });
    tell(`Sandbox ${found.sandbox}, approvals ${found.approvals}: ${found.description}.`);
  },
};
