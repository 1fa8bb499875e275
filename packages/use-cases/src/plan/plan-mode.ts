import { join } from "node:path";
import type { CallGate, ResolvedConfig, ThreadChange } from "@unroll/harness";
import type { SandboxMode, UserInputPart } from "@unroll/protocol";
import { createPlanGate } from "./plan-gate.ts";
import { planInstructions } from "./plan-instructions.ts";

/** What plan mode holds in: a thread, or a conversation of one thread after the other. */
export interface PlannedThread {
  readonly thread: { readonly id: string };
  readonly config: Pick<ResolvedConfig, "codexHome" | "sandboxSettings">;
  change(change: ThreadChange): void;
}

/** Plan mode: a read-only sandbox around all commands, and a gate that lets nothing else through. */
export interface PlanMode {
  readonly isOn: boolean;
  /** The plan of the current thread; absolute. It need not exist. */
  readonly file: string;
  /** Throws what the change of the sandbox throws. */
  set(state: "on" | "off"): void;
  /** Around the gate of each thread. */
  readonly gate: (own: CallGate) => CallGate;
  /** Goes to the model behind the user's message: how to answer while plan mode is on. Empty while it is off. */
  readonly added: readonly UserInputPart[];
}

/** Off at first. `current` is asked whenever something is done. */
export function createPlanMode(current: () => PlannedThread): PlanMode {
  let isOn = false;
  let before: SandboxMode | null = null;

  const changeMode = (mode: SandboxMode): void => {
    const { sandboxSettings } = current().config;
    current().change({ sandboxSettings: { ...sandboxSettings, mode } });
  };

  return {
    get isOn() {
      return isOn;
    },
    get file() {
      return join(current().config.codexHome, "plans", `${current().thread.id}.md`);
    },
    set(state) {
      if (state === "on") {
        before = current().config.sandboxSettings.mode;
        changeMode("read-only");
      } else if (before !== null) changeMode(before);
      isOn = state === "on";
    },
    gate: (own) => createPlanGate(own, () => isOn),
    get added(): readonly UserInputPart[] {
      return isOn ? [{ type: "text", text: planInstructions, isAdded: true }] : [];
    },
  };
}

/** The message that has the model carry out a plan. */
export function toApproval(plan: string): string {
  return `The plan is approved; plan mode is over, and you may change files again. Carry it out:\n\n${plan}`;
}
