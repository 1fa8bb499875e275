import type { ApprovalPolicy, SandboxMode } from "@unroll/protocol";

/** For callers whose compiler did not look. */
export const approvalPolicies: readonly ApprovalPolicy[] = ["untrusted", "on-failure", "on-request", "never"];

export const sandboxModes: readonly SandboxMode[] = ["read-only", "workspace-write", "danger-full-access"];
