import { type ElicitRequestFormParams, isSpecType } from "@modelcontextprotocol/server";
import { listApprovalChoices, toChoiceForm, toServerForm } from "@unroll/thread-host";
import type {
  ApprovalDecision,
  ApprovalQuestion,
  FormQuestion,
  ModelQuestionOption,
  ModelQuestions,
} from "@unroll/protocol";
import { showExact } from "@unroll/text";

/** The answers to a question for approval, by the words that clients send. */
const decisionNames = { once: "approve", thread: "approve_for_thread", always: "approve_always", no: "deny" } as const;

/**
 * A question as a form of MCP (2025-06-18 and later). Clients that show no fields accept or decline; the members beside the form are those
 * that clients of the Codex CLI's server read.
 */
export function toApprovalForm(question: ApprovalQuestion): ElicitRequestFormParams {
  const choices = listApprovalChoices(question);
  const decision = {
    type: "string" as const,
    title: "May it?",
    enum: choices.map(({ id }) => decisionNames[id]),
    enumNames: choices.map(({ title }) => title),
    default: "approve",
  };
  const requestedSchema = { type: "object" as const, properties: { decision } };
  return { message: describe(question), requestedSchema, ...listForeignMembers(question) };
}

/** Words of clients of the Codex CLI's server. */
const foreignDecisions: Readonly<Record<string, string>> = {
  approved: "approve",
  approved_for_session: "approve_for_thread",
  denied: "deny",
  abort: "deny",
};

/** The decision by its word; null: it was not offered. */
export function findDecision(question: ApprovalQuestion, word: string): ApprovalDecision | null {
  const own = foreignDecisions[word] ?? word;
  return listApprovalChoices(question).find(({ id }) => decisionNames[id] === own)?.decision ?? null;
}

function describe(question: ApprovalQuestion): string {
  const { reason } = question;
  switch (question.type) {
    case "command.approval": {
      const { command, cwd, justification, isUnconfined } = question;
      const folder = showExact(cwd);
      const where = isUnconfined ? `in ${folder}, outside the sandbox` : `in ${folder}`;
      return [`May this command run ${where}?`, `$ ${showExact(command)}`, reason, justification]
        .filter(Boolean)
        .join("\n\n");
    }
    case "patch.approval":
      return ["May these files be changed?", showExact(question.diff, "document"), reason].join("\n\n");
    case "host.approval": {
      const { command, cwd, hosts } = question;
      const asked = `May this command in ${showExact(cwd)} reach ${hosts.join(", ")}?`;
      return [asked, `$ ${showExact(command)}`, reason].join("\n\n");
    }
    case "tool.approval": {
      const name = question.server === null ? question.tool : `${question.server}.${question.tool}`;
      return [`May ${name} be called?`, JSON.stringify(question.arguments, null, 2), reason].join("\n\n");
    }
  }
}

function listForeignMembers(question: ApprovalQuestion): Readonly<Record<string, unknown>> {
  const call = { codex_call_id: question.itemId, threadId: question.threadId };
  switch (question.type) {
    case "command.approval": {
      const { command, cwd } = question;
      return { codex_elicitation: "exec-approval", ...call, codex_command: ["sh", "-c", command], codex_cwd: cwd };
    }
    case "patch.approval":
      return { codex_elicitation: "patch-approval", ...call, codex_reason: question.reason };
    case "tool.approval":
    case "host.approval":
      return call;
  }
}

/** The questions of the model, or the form of an MCP server of the thread. */
export function toQuestionForm(question: ModelQuestions | FormQuestion): ElicitRequestFormParams {
  const form = question.type === "server.form" ? toServerForm(question) : toChoiceForm(question, toEnum);
  if (isSpecType.ElicitRequestFormParams(form)) return form;
  throw new Error("The form is not one of MCP.");
}

function toEnum(options: readonly ModelQuestionOption[]): Readonly<Record<string, unknown>> {
  return {
    enum: options.map(({ label }) => label),
    enumNames: options.map(({ label, description }) => (description === "" ? label : `${label}: ${description}`)),
  };
}
