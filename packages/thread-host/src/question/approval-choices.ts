import { type ApprovalDecision, type ApprovalQuestion, type PrefixQuestion, refusalOf } from "@unroll/protocol";
import { showExact } from "@unroll/text";

/** One answer to a question for your approval. */
export interface ApprovalChoice {
  readonly id: "once" | "thread" | "always" | "no";
  readonly title: string;
  readonly decision: ApprovalDecision;
}

/** The answers that a question allows, `no` last. A client offers these and no others: whatever else it answers is a `no`. */
export function listApprovalChoices(question: ApprovalQuestion | PrefixQuestion): readonly ApprovalChoice[] {
  const once: ApprovalChoice = { id: "once", title: "Yes, this once", decision: { type: "approved.once" } };
  const no: ApprovalChoice = { id: "no", title: "No", decision: refusalOf(question) };
  if (question.type === "prefix.break") return [once, no];
  const isKeepable = question.type !== "tool.approval" || question.isKeepable;
  const title = `Yes, in this thread: ${sameAgain[question.type]}`;
  const thread: ApprovalChoice = { id: "thread", title, decision: { type: "approved.thread" } };
  return [once, ...(isKeepable ? [thread] : []), ...listRule(question), no];
}

const sameAgain: Readonly<Record<ApprovalQuestion["type"], string>> = {
  "command.approval": "this command in this folder",
  "patch.approval": "these files",
  "tool.approval": "this tool",
  "host.approval": "these hosts",
};

function listRule(question: ApprovalQuestion): readonly ApprovalChoice[] {
  if (question.type === "host.approval" && question.endsByRule)
    return [{ id: "always", title: `Yes, always: ${question.hosts.join(", ")}`, decision: { type: "approved.hosts" } }];
  if (question.type !== "command.approval" || question.proposedPrefix === null) return [];
  const { proposedPrefix: prefix, proposedEnv, alsoAllows } = question;
  const variables = proposedEnv.length === 0 ? "" : ` (with ${proposedEnv.join(", ")})`;
  const title = `Yes, always if it starts with: ${showExact(prefix.join(" "))}${variables}`;
  const more = alsoAllows === null ? "" : `. ${alsoAllows}`;
  return [{ id: "always", title: `${title}${more}`, decision: { type: "approved.always", prefix } }];
}
