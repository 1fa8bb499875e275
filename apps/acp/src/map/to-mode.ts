import type { SessionModeState } from "@agentclientprotocol/sdk/unstable";
import type { ResolvedConfig } from "@unroll/config";
import type { ThreadChange } from "@unroll/harness";
import { permissionPresets } from "@unroll/protocol";

/** How far the agent may go. */
const modes = {
  ask: { name: "Ask", description: "Sandbox and approvals as the config says" },
  plan: { name: "Plan", description: "Reads only: nothing is changed, whatever you approve" },
  full: { name: "Full access", description: "No sandbox, no questions: for a machine that is itself the sandbox" },
} as const;

export type ModeId = keyof typeof modes;

/** The modes that you can choose. */
export const shownModes: SessionModeState["availableModes"] = Object.entries(modes).map(([id, mode]) => ({
  id,
  ...mode,
}));

export function isMode(id: string): id is ModeId {
  return Object.hasOwn(modes, id);
}

type Settings = Pick<ResolvedConfig, "sandboxSettings" | "approvalPolicy" | "approvalQuestions">;

/** The mode that a thread starts in, by its config. */
export function findMode({ sandboxSettings, approvalPolicy }: Omit<Settings, "approvalQuestions">): ModeId {
  const { full } = permissionPresets;
  return sandboxSettings.mode === full.sandboxMode && approvalPolicy === full.approvalPolicy ? "full" : "ask";
}

/** `config`: that of the files and the command line; `ask` and `plan` use it, unless it says that nobody is asked. */
export function toModeChange(mode: ModeId, config: Settings): ThreadChange {
  const { sandboxSettings, approvalPolicy, approvalQuestions } = config;
  const { work, full } = permissionPresets;
  const isFull = findMode(config) === "full";
  if (mode !== "full" && !isFull) return { sandboxSettings, approvalPolicy, approvalQuestions };
  const preset = mode === "full" ? full : work;
  return { sandboxSettings: { ...sandboxSettings, mode: preset.sandboxMode }, approvalPolicy: preset.approvalPolicy };
}
