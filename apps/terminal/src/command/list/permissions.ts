import { type PermissionPreset, permissionPresets } from "@unroll/protocol";
import { createPolicyCommand } from "../policy-command.ts";
import type { TerminalCommand } from "../terminal-command.ts";

interface Preset extends PermissionPreset {
  readonly value: string;
  readonly description: string;
}

const { read, work, full } = permissionPresets;
const presets: readonly Preset[] = [
  { value: "read", ...read, description: "reads; asks before anything else" },
  { value: "work", ...work, description: "works in this folder; asks before anything beyond it" },
  { value: "full", ...full, description: "no sandbox and no questions: only where nothing can be broken" },
];

export const permissionsCommand: TerminalCommand = createPolicyCommand({
  name: "permissions",
  description: "sandbox and approvals at once",
  noun: "preset",
  options: presets,
  describeNow: ({ sandboxSettings, approvalPolicy }) =>
    `What the model may do (now: sandbox ${sandboxSettings.mode}, approvals ${approvalPolicy})`,
  toChange: ({ sandboxMode, approvalPolicy }, { sandboxSettings }) => ({
    approvalPolicy,
    sandboxSettings: { ...sandboxSettings, mode: sandboxMode },
  }),
  describe: ({ sandboxMode, approvalPolicy, description }) =>
    `Sandbox ${sandboxMode}, approvals ${approvalPolicy}: ${description}.`,
});
