import { type ElicitRequestFormParams, isSpecType, type PrimitiveSchemaDefinition } from "@modelcontextprotocol/server";
import { toFormSchema } from "@unroll/thread-host";
import type { ApprovalQuestion, FormQuestion, ModelQuestions } from "@unroll/protocol";
import { showExact } from "@unroll/text";

/**
 * A question as a form of MCP (2025-06-18 and later). A client that shows no fields answers by accept and decline; the members behind
 * the form are those that clients of the Codex CLI's server read.
 */
export function toApprovalForm(question: ApprovalQuestion): ElicitRequestFormParams {
  const choices = [
    { value: "approve", title: "Yes, this once" },
    { value: "approve_for_thread", title: "Yes, and the same again in this thread" },
    ...listRuleChoice(question),
    { value: "deny", title: "No" },
  ];
  const decision = {
    type: "string" as const,
    title: "May it?",
    enum: choices.map(({ value }) => value),
    enumNames: choices.map(({ title }) => title),
    default: "approve",
  };
  const requestedSchema = { type: "object" as const, properties: { decision } };
  return { message: describe(question), requestedSchema, ...listForeignMembers(question) };
}

function listRuleChoice(question: ApprovalQuestion): readonly { readonly value: string; readonly title: string }[] {
  if (question.type !== "command.approval" || question.proposedPrefix === null) return [];
  const { proposedPrefix, proposedEnv } = question;
  const variables = proposedEnv.length === 0 ? "" : ` (with ${proposedEnv.join(", ")})`;
  const title = `Yes, and always what begins with ${proposedPrefix.join(" ")}${variables}`;
  return [{ value: "approve_always", title }];
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
      return call;
  }
}

/** The model asks: what it offers, and beside each the person's own words. */
export function toChoiceForm({ questions }: ModelQuestions): ElicitRequestFormParams {
  const properties = questions.flatMap(({ id, header, question, options }): [string, PrimitiveSchemaDefinition][] => [
    [
      id,
      {
        type: "string",
        title: header,
        description: question,
        enum: options.map(({ label }) => label),
        enumNames: options.map(({ label, description }) => (description === "" ? label : `${label}: ${description}`)),
      },
    ],
    [`${id}_other`, { type: "string", title: `${header}: something else`, description: "In your own words." }],
  ]);
  const message = questions.map(({ question }) => question).join("\n");
  return { message, requestedSchema: { type: "object", properties: Object.fromEntries(properties) } };
}

/** The form of an MCP server of the thread, passed on. */
export function toServerForm({ server, message, fields }: FormQuestion): ElicitRequestFormParams {
  const params = { message: `The MCP server ${server} asks: ${message}`, requestedSchema: toFormSchema(fields) };
  if (isSpecType.ElicitRequestFormParams(params)) return params;
  throw new Error(`The form of the MCP server ${server} is none of MCP.`);
}
