import type { ApprovalPolicy } from "./approval-policy.ts";
import type { SandboxMode } from "./sandbox-settings.ts";

/** A sandbox mode and an approval policy that go together. */
export interface PermissionPreset {
  readonly sandboxMode: SandboxMode;
  readonly approvalPolicy: ApprovalPolicy;
}

/** The presets that programs offer, the tightest first. */
export const permissionPresets: Readonly<Record<"read" | "work" | "full", PermissionPreset>> = {
  read: { sandboxMode: "read-only", approvalPolicy: "on-request" },
  work: { sandboxMode: "workspace-write", approvalPolicy: "on-request" },
  full: { sandboxMode: "danger-full-access", approvalPolicy: "never" },
};
