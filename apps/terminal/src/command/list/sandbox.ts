import type { SandboxMode } from "@unroll/protocol";
import type { TerminalCommand } from "../terminal-command.ts";

const modes: readonly { readonly value: SandboxMode; readonly description: string }[] = [
  { value: "read-only", description: "commands read, and write nothing" },
  { value: "workspace-write", description: "commands write in the working folder, without network" },
  { value: "danger-full-access", description: "no sandbox: commands do what you may do" },
];

export const sandboxCommand: TerminalCommand = {
  name: "sandbox",
  description: "how far commands may reach",
  argument: "[read-only|workspace-write|danger-full-access]",
  timing: "always",
  async run({ conversation, plan, choose, tell }, argument) {
    if (plan.isOn) return tell("Plan mode is on, which only reads: /plan off first.");
    const { sandboxSettings } = conversation.config;
    const options = modes.map(({ value, description }) => ({ value, label: value, description }));
    const title = `How far commands may reach (now: ${sandboxSettings.mode})`;
    const wish = argument === "" ? await choose({ title, options }) : argument;
    if (wish === null) return;
    const found = modes.find(({ value }) => value === wish);
    if (found === undefined) return tell(`There is no mode "${wish}": ${modes.map(({ value }) => value).join(", ")}.`);
    conversation.change({ sandboxSettings: { ...sandboxSettings, mode: found.value } });
    tell(`Sandbox: ${found.value}: ${found.description}. Commands that run keep the walls they were started in.`);
  },
};
