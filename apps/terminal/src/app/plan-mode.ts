import { join } from "node:path";
import { planInstructions } from "@unroll/program";
import type { SandboxMode } from "@unroll/protocol";
import type { PlanSwitch } from "../command/terminal-command.ts";
import type { Conversation } from "../conversation/conversation.ts";

/** Plan mode of a conversation: a read-only sandbox around all commands, and a gate that lets nothing else through. */
export interface PlanMode extends PlanSwitch {
  /** What goes to the model with a message of the person's: behind it, how it is to answer while plan mode is on. */
  wrap(text: string): string;
}

/** `hold`: what the gate of the threads reads. */
export function createPlanMode(conversation: () => Conversation, hold: { isOn: boolean }): PlanMode {
  let before: SandboxMode | null = null;

  const changeMode = (mode: SandboxMode): void => {
    const { sandboxSettings } = conversation().config;
    conversation().change({ sandboxSettings: { ...sandboxSettings, mode } });
  };

  return {
    get isOn() {
      return hold.isOn;
    },
    get file() {
      return join(conversation().config.codexHome, "plans", `${conversation().thread.id}.md`);
    },
    set(state) {
      if (state === "on") {
        before = conversation().config.sandboxSettings.mode;
        changeMode("read-only");
      } else if (before !== null) changeMode(before);
      hold.isOn = state === "on";
    },
    wrap: (text) => (hold.isOn ? `${text}\n\n${planInstructions}` : text),
  };
}
