import { resolve } from "node:path";
import { explainUnsupportedEffort, type ResolvedConfig, type ThreadChange } from "@unroll/config";
import { approvalPolicies, type SandboxMode, sandboxModes } from "@unroll/protocol";
import { HarnessError } from "../harness-error.ts";
import { checkCall, checkKeys } from "../check-options.ts";

/** A change of a thread's settings. */
export interface ThreadChangeOptions extends ThreadChange {
  /** How far commands may reach; the other sandbox settings stay. Wins over the mode in `sandboxSettings`. */
  readonly sandboxMode?: SandboxMode;
}

const known: Readonly<Record<keyof ThreadChangeOptions, true>> = {
  cwd: true,
  approvalPolicy: true,
  approvalQuestions: true,
  sandboxMode: true,
  sandboxSettings: true,
  permissionProfile: true,
  reasoningEffort: true,
  reasoningSummary: true,
  verbosity: true,
};

const shape = {
  "cwd?": "text",
  "approvalPolicy?": approvalPolicies,
  "sandboxMode?": sandboxModes,
  "sandboxSettings?": "an object",
  "reasoningSummary?": ["auto", "concise", "detailed", "none"],
} as const;

const sandboxShape = { mode: sandboxModes, writableRoots: "a list", denyRead: "a list", limits: "an object" } as const;

/**
 * Resolves a change: an absolute folder, and the mode merged into the current sandbox settings.
 * Throws `HarnessError` `invalid_options` for unknown names and values.
 */
export function settleChange(change: ThreadChangeOptions, config: ResolvedConfig): ThreadChange {
  checkCall("change", change, {});
  checkKeys({ call: "change" }, change, known);
  checkCall("change", change, shape);
  const { sandboxMode, cwd, ...rest } = change;
  if (rest.sandboxSettings !== undefined) checkCall("change, sandboxSettings", rest.sandboxSettings, sandboxShape);
  if (rest.approvalQuestions) checkCall("change, approvalQuestions", rest.approvalQuestions, {});
  checkModelSettings(rest, config);
  const sandbox = rest.sandboxSettings ?? config.sandboxSettings;
  return {
    ...rest,
    ...(cwd !== undefined && { cwd: resolve(config.cwd, cwd) }),
    ...(sandboxMode !== undefined && { sandboxSettings: { ...sandbox, mode: sandboxMode } }),
  };
}

function checkModelSettings({ reasoningEffort, verbosity }: ThreadChange, config: ResolvedConfig): void {
  if (typeof verbosity === "string") checkCall("change", { verbosity }, { verbosity: ["low", "medium", "high"] });
  const fault = typeof reasoningEffort === "string" ? explainUnsupportedEffort(reasoningEffort, config) : null;
  if (fault !== null) throw new HarnessError("invalid_options", `change: ${fault}`);
}
