import type { SandboxMode } from "@unroll/protocol";
import { chooseNamed, listNames } from "../choose-named.ts";
import type { TerminalCommand } from "../terminal-command.ts";

// By name, so that a new one does not compile before it can be chosen.
const named: { readonly [Mode in SandboxMode]: { readonly value: Mode; readonly description: string } } = {
  "read-only": { value: "read-only", description: "commands read, and write nothing" },
  "workspace-write": { value: "workspace-write", description: "commands write in the working folder, without network" },
  "danger-full-access": { value: "danger-full-access", description: "no sandbox: commands do what you may do" },
};
const modes = Object.values(named);

export const sandboxCommand: TerminalCommand = {
  name: "sandbox",
  description: "how far commands may reach",
  argument: listNames(modes),
  timing: "always",
  async run(context, argument) {
    const { conversation, plan, tell } = context;
    if (plan.isOn) return tell("Plan mode is on, which only reads: /plan off first.");
    const { sandboxSettings } = conversation.config;
    const title = `How far commands may reach (now: ${sandboxSettings.mode})`;
    const found = await chooseNamed(context, argument, { title, noun: "mode", options: modes });
    if (found === null) return;
    conversation.change({ sandboxSettings: { ...sandboxSettings, mode: found.value } });
    tell(`Sandbox: ${found.value}: ${found.description}. Commands that run keep the walls they were started in.`);
  },
};
