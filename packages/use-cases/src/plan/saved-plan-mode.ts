import { isOwnArgument } from "@unroll/config";
import type { Thread, ThreadChange } from "@unroll/harness";
import { approvalPolicies, type ApprovalPolicy, type SandboxMode, sandboxModes } from "@unroll/protocol";

const name = "plan_mode";

/** The settings that plan mode replaced, as they are saved. */
interface SavedPlanMode {
  readonly sandboxMode: SandboxMode;
  readonly approvalPolicy: ApprovalPolicy;
}

/** Saves with a thread that it is in plan mode, with the settings that plan mode replaced; null: it is not in plan mode. */
export function savePlanMode(
  notes: Thread["notes"],
  before: Required<Pick<ThreadChange, "sandboxSettings" | "approvalPolicy">> | null,
): void {
  if (before === null) return notes.get(name) === undefined ? undefined : notes.set(name, undefined);
  const { sandboxSettings, approvalPolicy } = before;
  notes.set(name, { sandboxMode: sandboxSettings.mode, approvalPolicy } satisfies SavedPlanMode);
}

/**
 * The settings to restore when an opened thread leaves plan mode; null: it is not in plan mode. A sandbox that an argument sets ends plan mode.
 * A saved value that is not understood restores nothing: the thread stays read-only until you change it.
 */
export function readPlanMode({ notes, config }: Pick<Thread, "notes" | "config">): ThreadChange | null {
  const saved = notes.get(name);
  if (saved === undefined || isOwnArgument(config.origins.get("sandbox_mode"))) return null;
  if (!isSaved(saved)) return {};
  const { sandboxMode, approvalPolicy } = saved;
  return { sandboxSettings: { ...config.sandboxSettings, mode: sandboxMode }, approvalPolicy };
}

function isSaved(value: unknown): value is SavedPlanMode {
  if (typeof value !== "object" || value === null || !("sandboxMode" in value && "approvalPolicy" in value))
    return false;
  const names: readonly unknown[] = sandboxModes;
  const policies: readonly unknown[] = approvalPolicies;
  return names.includes(value.sandboxMode) && policies.includes(value.approvalPolicy);
}
