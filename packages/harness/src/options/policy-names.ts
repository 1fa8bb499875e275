import type { ApprovalPolicy, SandboxMode } from "@unroll/protocol";

/** For callers whose compiler did not look. */
export const approvalPolicies: readonly string[] = Object.keys({
  untrusted: true,
  "on-failure": true,
  "on-request": true,
  never: true,
} satisfies Record<ApprovalPolicy, true>);

export const sandboxModes: readonly string[] = Object.keys({
  "read-only": true,
  "workspace-write": true,
  "danger-full-access": true,
} satisfies Record<SandboxMode, true>);
