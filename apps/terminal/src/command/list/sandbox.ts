import type { SandboxMode } from "@unroll/protocol";
import { createPolicyCommand } from "../policy-command.ts";
import type { TerminalCommand } from "../terminal-command.ts";

// By name, so that a new mode does not compile before you can choose it.
const modes: { readonly [Mode in SandboxMode]: { readonly value: Mode; readonly description: string } } = {
  "read-only": { value: "read-only", description: "commands read, and write nothing" },
  "workspace-write": { value: "workspace-write", description: "commands write in the working folder, without network" },
  "danger-full-access": { value: "danger-full-access", description: "no sandbox: commands do what you may do" },
};

export const sandboxCommand: TerminalCommand = createPolicyCommand({
  name: "sandbox",
  description: "what commands may reach",
  noun: "mode",
  options: Object.values(modes),
  describeNow: ({ sandboxSettings }) => `What commands may reach (now: ${sandboxSettings.mode})`,
  toChange: ({ value }, { sandboxSettings }) => ({ sandboxSettings: { ...sandboxSettings, mode: value } }),
  describe: ({ value, description }) =>
    `Sandbox: ${value}: ${description}. Running commands keep the sandbox that they started in.`,
});
