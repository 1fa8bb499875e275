import type { SessionModeState } from "@agentclientprotocol/sdk";
import type { ResolvedConfig } from "@unroll/config";
import type { ThreadChange } from "@unroll/harness";

/** How far the agent may go. */
export type ModeId = "ask" | "plan" | "full";

type Settings = Pick<ResolvedConfig, "sandboxSettings" | "approvalPolicy" | "approvalQuestions">;

/** The mode that a thread begins in, by its config. */
export function findMode({ sandboxSettings, approvalPolicy }: Omit<Settings, "approvalQuestions">): ModeId {
  return sandboxSettings.mode === "danger-full-access" && approvalPolicy === "never" ? "full" : "ask";
}

/** `config`: as the files and the command line have it, which is what `ask` goes by. */
export function toModeChange(mode: ModeId, config: Settings): ThreadChange {
  const { sandboxSettings, approvalPolicy, approvalQuestions } = config;
  switch (mode) {
    case "plan":
      return { sandboxSettings: { ...sandboxSettings, mode: "read-only" }, approvalPolicy, approvalQuestions };
    case "full":
      return { sandboxSettings: { ...sandboxSettings, mode: "danger-full-access" }, approvalPolicy: "never" };
    case "ask":
      return findMode(config) === "ask"
        ? { sandboxSettings, approvalPolicy, approvalQuestions }
        : { sandboxSettings: { ...sandboxSettings, mode: "workspace-write" }, approvalPolicy: "on-request" };
  }
}

interface ShownMode {
  readonly id: ModeId;
  readonly name: string;
  readonly description: string;
}

/** Those that a person can choose. */
export const shownModes: readonly ShownMode[] = [
  { id: "ask", name: "Ask", description: "Sandbox and approvals as the config says" },
  { id: "plan", name: "Plan", description: "Only reads: nothing is changed, and no question can allow it" },
  { id: "full", name: "Full access", description: "No sandbox, no questions: where the machine itself is the wall" },
];

export function isMode(id: string): id is ModeId {
  return shownModes.some((mode) => mode.id === id);
}

export function toModeState(mode: ModeId): SessionModeState {
  return { currentModeId: mode, availableModes: [...shownModes] };
}
