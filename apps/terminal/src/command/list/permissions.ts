import { type PermissionPreset, permissionPresets } from "@unroll/protocol";
import { createPolicyCommand } from "../policy-command.ts";
import type { TerminalCommand } from "../terminal-command.ts";

interface Preset extends PermissionPreset {
  readonly value: string;
  readonly description: string;
}

const { read, work, full } = permissionPresets;
const presets: readonly Preset[] = [
  { value: "read", ...read, description: "reads files; asks before anything else" },
  { value: "work", ...work, description: "edits and runs in this folder; asks before anything outside it" },
  { value: "full", ...full, description: "no sandbox and no questions; use only where nothing can break" },
];

export const permissionsCommand: TerminalCommand = createPolicyCommand({
  name: "permissions",
  description: "set sandbox and approvals together",
  noun: "preset",
  options: presets,
  describeNow: ({ sandboxSettings, approvalPolicy }) =>
    `What may the model do? (now: sandbox ${sandboxSettings.mode}, approvals ${approvalPolicy})`,
  readNow: ({ sandboxSettings, approvalPolicy }) =>
    presets.find((each) => each.sandboxMode === sandboxSettings.mode && each.approvalPolicy === approvalPolicy)
      ?.value ?? null,
  toChange: ({ sandboxMode, approvalPolicy }, { sandboxSettings }) => ({
    approvalPolicy,
    sandboxSettings: { ...sandboxSettings, mode: sandboxMode },
  }),
  describe: ({ sandboxMode, approvalPolicy, description }) =>
    `Sandbox ${sandboxMode}, approvals ${approvalPolicy} (${description}).`,
});
