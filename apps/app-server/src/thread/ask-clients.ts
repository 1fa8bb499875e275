import type { ServerMethod, ServerParams, ServerResult } from "@unroll/app-server-protocol";
import type { Clock } from "@unroll/flow";
import { toFormSchema } from "@unroll/thread-host";
import type {
  Answer,
  CommandQuestion,
  FormQuestion,
  HostQuestion,
  ModelQuestions,
  PatchQuestion,
  Question,
  ToolQuestion,
} from "@unroll/protocol";
import { RequestFault } from "@unroll/thread-host/wire";
import { toWireActions } from "../map/to-wire-actions.ts";
import type { ClientsOfThread } from "../wire/client.ts";

interface AskParts {
  readonly group: ClientsOfThread;
  readonly clock: Pick<Clock, "now">;
  /** Id of the running turn; empty before the first one. */
  readonly turnId: string;
  /** The client wants the turn to end. */
  readonly cancel: () => void;
}

/** Sends a question to the clients of a thread, as a request of the server. Null: nobody answered. */
export async function askClients(parts: AskParts, question: Question, signal: AbortSignal): Promise<Answer | null> {
  switch (question.type) {
    case "command.approval":
      return askCommand(parts, question, signal);
    case "host.approval":
      return askHost(parts, question, signal);
    case "patch.approval":
      return askPatch(parts, question, signal);
    case "tool.approval":
    case "server.form":
      return askByForm(parts, question, signal);
    case "model.questions":
      return askChoices(parts, question, signal);
    case "prefix.break":
      return null; // never asked here
  }
}

const denied: Answer = { type: "denied", reason: null };

/** Null: nobody gave an answer. */
async function ask<Method extends ServerMethod>(
  { group }: AskParts,
  { method, params }: { readonly method: Method; readonly params: ServerParams<Method> },
  signal: AbortSignal,
): Promise<ServerResult<Method> | null> {
  try {
    return await group.ask(method, params, signal);
  } catch (error) {
    if (error instanceof RequestFault) return null;
    throw error;
  }
}

function toPlace(
  { turnId, clock }: AskParts,
  { threadId, itemId }: { readonly threadId: string; readonly itemId: string | null },
): { threadId: string; turnId: string; itemId: string; startedAtMs: number } {
  return { threadId, turnId, itemId: itemId ?? "", startedAtMs: clock.now() };
}

/** The protocol has no member for a sub-agent. */
function nameAsker({ agent }: Question, text: string): string {
  return agent === undefined ? text : `Sub-agent ${agent}: ${text}`;
}

async function askCommand(parts: AskParts, question: CommandQuestion, signal: AbortSignal): Promise<Answer | null> {
  const { command, cwd, justification, reason, proposedPrefix } = question;
  const amendment = proposedPrefix === null ? null : [...proposedPrefix];
  const params: ServerParams<"item/commandExecution/requestApproval"> = {
    ...toPlace(parts, question),
    reason: nameAsker(question, justification ?? reason),
    command,
    cwd,
    commandActions: toWireActions(command, cwd),
    proposedExecpolicyAmendment: amendment,
    availableDecisions: [
      "accept",
      "acceptForSession",
      ...(amendment === null ? [] : [{ acceptWithExecpolicyAmendment: { execpolicy_amendment: amendment } }]),
      "decline",
      "cancel",
    ],
  };
  const answer = await ask(parts, { method: "item/commandExecution/requestApproval", params }, signal);
  if (answer === null) return null;
  if (typeof answer.decision === "string") return toDecision(parts, answer.decision);
  return { type: "approved.always", prefix: answer.decision.acceptWithExecpolicyAmendment.execpolicy_amendment };
}

async function askHost(parts: AskParts, question: HostQuestion, signal: AbortSignal): Promise<Answer | null> {
  const { command, cwd, reason, hosts } = question;
  const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(hosts[0] ?? "") ?? [];
  const more = hosts.length === 1 ? "" : ` The answer holds for all of these: ${hosts.join(", ")}.`;
  const params: ServerParams<"item/commandExecution/requestApproval"> = {
    ...toPlace(parts, question),
    reason: nameAsker(question, `${reason}${more}`),
    command,
    cwd,
    commandActions: toWireActions(command, cwd),
    proposedExecpolicyAmendment: null,
    networkApprovalContext: { host, protocol: port === "80" ? "http" : port === "443" ? "https" : "socks5Tcp" },
    availableDecisions: ["accept", "acceptForSession", "decline", "cancel"],
  };
  const answer = await ask(parts, { method: "item/commandExecution/requestApproval", params }, signal);
  return answer && (typeof answer.decision === "string" ? toDecision(parts, answer.decision) : denied);
}

async function askPatch(parts: AskParts, question: PatchQuestion, signal: AbortSignal): Promise<Answer | null> {
  const params = { ...toPlace(parts, question), reason: nameAsker(question, question.reason), grantRoot: null };
  const answer = await ask(parts, { method: "item/fileChange/requestApproval", params }, signal);
  return answer && toDecision(parts, answer.decision);
}

function toDecision(parts: AskParts, decision: ServerResult<"item/fileChange/requestApproval">["decision"]): Answer {
  switch (decision) {
    case "accept":
      return { type: "approved.once" };
    case "acceptForSession":
      return { type: "approved.thread" };
    case "decline":
      return denied;
    case "cancel":
      parts.cancel();
      return denied;
  }
}

async function askByForm(
  parts: AskParts,
  question: ToolQuestion | FormQuestion,
  signal: AbortSignal,
): Promise<Answer | null> {
  const { threadId, server } = question;
  const place = { threadId, turnId: parts.turnId === "" ? null : parts.turnId, serverName: server ?? "" };
  const params = { ...place, mode: "form" as const, ...toForm(question) };
  const answer = await ask(parts, { method: "mcpServer/elicitation/request", params }, signal);
  if (answer === null || answer.action === "cancel") return null;
  const isAccepted = answer.action === "accept";
  if (question.type === "tool.approval") return isAccepted ? { type: "approved.once" } : denied;
  return isAccepted ? { type: "accepted", values: answer.content ?? {} } : { type: "declined" };
}

type AskedForm = Pick<ServerParams<"mcpServer/elicitation/request">, "_meta" | "message" | "requestedSchema">;

/** The approval of a call is a form without fields: to accept it is to approve. */
function toForm(question: ToolQuestion | FormQuestion): AskedForm {
  if (question.type === "server.form")
    return { _meta: null, message: question.message, requestedSchema: toFormSchema(question.fields) };
  const { tool, arguments: given, reason: message } = question;
  const _meta = { codex_approval_kind: "mcp_tool_call", tool, tool_params: given };
  return { _meta, message: nameAsker(question, message), requestedSchema: { type: "object", properties: {} } };
}

async function askChoices(parts: AskParts, question: ModelQuestions, signal: AbortSignal): Promise<Answer | null> {
  const questions = question.questions.map(({ options, ...each }) => ({
    ...each,
    isOther: true,
    isSecret: false,
    options: options.map((option) => ({ ...option })),
  }));
  const { startedAtMs: _, ...place } = toPlace(parts, question);
  const answer = await ask(
    parts,
    { method: "item/tool/requestUserInput", params: { ...place, isBlocking: true, questions } },
    signal,
  );
  if (answer === null || Object.keys(answer.answers).length === 0) return null;
  const answers = Object.entries(answer.answers).map(([id, { answers: said }]) => [id, said] as const);
  return { type: "answered", answers: Object.fromEntries(answers) };
}
