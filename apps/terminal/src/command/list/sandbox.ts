import type { SandboxMode } from "@unroll/protocol";
import { createPolicyCommand } from "../policy-command.ts";
import type { TerminalCommand } from "../terminal-command.ts";

// By name, so that a new mode does not compile before you can choose it.
const modes: { readonly [Mode in SandboxMode]: { readonly value: Mode; readonly description: string } } = {
  "read-only": { value: "read-only", description: "commands can read files, but not write" },
  "workspace-write": { value: "workspace-write", description: "commands can write in the working folder; no network" },
  "danger-full-access": {
    value: "danger-full-access",
    description: "no sandbox: commands can do everything that you can",
  },
};

export const sandboxCommand: TerminalCommand = createPolicyCommand({
  name: "sandbox",
  description: "choose what commands may access",
  noun: "mode",
  options: Object.values(modes),
  describeNow: () => "What may commands access?",
  readNow: ({ sandboxSettings }) => sandboxSettings.mode,
  toChange: ({ value }, { sandboxSettings }) => ({ sandboxSettings: { ...sandboxSettings, mode: value } }),
  describe: ({ value, description }) => `Sandbox: ${value} (${description}). Running commands keep their old sandbox.`,
});
