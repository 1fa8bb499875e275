export { ApprovalError } from "./approval-error.ts";
export { createCallGate } from "./create-call-gate.ts";
export { createGitReader } from "./git-reader.ts";
export { findMcpApprovalMode } from "./judge/judge-tool-call.ts";
export { resolveApprovals } from "./policy/approvals.ts";
export { tightenApprovals } from "./policy/tighten-approvals.ts";

export type { Approvals } from "./policy/approvals.ts";
export type { RuleStore } from "./rule-store.ts";
