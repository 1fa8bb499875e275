import { type PermissionPreset, permissionPresets } from "@unroll/protocol";
import { chooseNamed, listNames } from "../choose-named.ts";
import type { TerminalCommand } from "../terminal-command.ts";

interface Preset extends PermissionPreset {
  readonly value: string;
  readonly description: string;
}

const { read, work, full } = permissionPresets;
const presets: readonly Preset[] = [
  { value: "read", ...read, description: "reads; asks before anything else" },
  { value: "work", ...work, description: "works in this folder; asks before anything beyond it" },
  { value: "full", ...full, description: "no sandbox and no question: only where nothing can be broken" },
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
      approvalPolicy: found.approvalPolicy,
      sandboxSettings: { ...sandboxSettings, mode: found.sandboxMode },
    });
    tell(`Sandbox ${found.sandboxMode}, approvals ${found.approvalPolicy}: ${found.description}.`);
  },
};
