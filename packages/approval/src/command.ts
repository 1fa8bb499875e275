// Apart from the other entries, for it loads the exec policy: a thread that runs no command does without.
export { evaluateApproval } from "./evaluate/evaluate-approval.ts";
export { isReadOnlyCommand } from "./judge/judge-command-call.ts";

export type { ApprovalOutcome } from "./evaluate/evaluate-approval.ts";
