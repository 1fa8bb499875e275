import type { SessionModeState } from "@agentclientprotocol/sdk";
import type { ResolvedConfig } from "@unroll/config";
import type { ThreadChange } from "@unroll/harness";

/** How far the agent may go. */
export type ModeId = "ask" | "plan" | "full";

type Settings = Pick<ResolvedConfig, "sandboxSettings" | "approvalPolicy">;

const modeIds: readonly ModeId[] = ["ask", "plan", "full"];

export function isMode(id: string): id is ModeId {
  return modeIds.some((each) => each === id);
}

/** The mode that a thread begins in, by its config. */
export function findMode({ sandboxSettings, approvalPolicy }: Settings): ModeId {
  return sandboxSettings.mode === "danger-full-access" && approvalPolicy === "never" ? "full" : "ask";
}

/** `config`: as the files and the command line have it, which is what `ask` goes by. */
export function toModeChange(mode: ModeId, config: Settings): ThreadChange {
  const { sandboxSettings, approvalPolicy } = config;
  switch (mode) {
    case "plan":
      return { sandboxSettings: { ...sandboxSettings, mode: "read-only" }, approvalPolicy };
    case "full":
      return { sandboxSettings: { ...sandboxSettings, mode: "danger-full-access" }, approvalPolicy: "never" };
    case "ask":
      return findMode(config) === "ask"
        ? { sandboxSettings, approvalPolicy }
        : { sandboxSettings: { ...sandboxSettings, mode: "workspace-write" }, approvalPolicy: "on-request" };
  }
}

const names: Readonly<Record<ModeId, string>> = { ask: "Ask", plan: "Plan", full: "Full access" };

function describe(mode: ModeId, config: Settings): string {
  switch (mode) {
    case "ask": {
      const { sandboxSettings, approvalPolicy } = toModeChange("ask", config);
      return `As the config says: sandbox ${sandboxSettings?.mode ?? ""}, approvals ${approvalPolicy ?? ""}`;
    }
    case "plan":
      return "Only reads: nothing is changed, and no question can allow it";
    case "full":
      return "No sandbox and no questions: only where the machine itself is the wall";
  }
}

interface ShownMode {
  readonly id: ModeId;
  readonly name: string;
  readonly description: string;
}

export function listModes(config: Settings): readonly ShownMode[] {
  return modeIds.map((id) => ({ id, name: names[id], description: describe(id, config) }));
}

export function toModeState(mode: ModeId, config: Settings): SessionModeState {
  return { currentModeId: mode, availableModes: listModes(config).map((each) => ({ ...each })) };
}
