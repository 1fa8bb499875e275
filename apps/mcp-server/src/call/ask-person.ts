import {
  refusalOf,
  type Answer,
  type ApprovalQuestion,
  type FormQuestion,
  type FormValue,
  type ModelQuestions,
  type Question,
} from "@unroll/protocol";
import type { Elicited } from "./parse-elicited.ts";
import { toApprovalForm, toChoiceForm, toServerForm } from "./to-form.ts";
import type { ToolCall } from "./tool-call.ts";

/** Whose turn asks. */
interface Asking {
  readonly call: ToolCall;
  /** Ends the turn. */
  readonly cancel: () => void;
  /** Aborts when the answer is no longer wanted. */
  readonly signal: AbortSignal;
}

/** Asks the person at the client, by elicitation. Null: there was no answer. */
export async function askPerson(question: Question, { call, cancel, signal }: Asking): Promise<Answer | null> {
  switch (question.type) {
    case "command.approval":
    case "patch.approval":
    case "tool.approval":
      return toDecision(question, await call.ask(toApprovalForm(question), signal), cancel);
    case "model.questions":
      return toChoices(question, await call.ask(toChoiceForm(question), signal));
    case "server.form":
      return toFilled(question, await call.ask(toServerForm(question), signal));
    case "prefix.break":
      return null;
  }
}

/** A plain yes is one for this call; what is no known answer is a no that says so. */
function toDecision(question: ApprovalQuestion, elicited: Elicited, cancel: () => void): Answer {
  switch (elicited.type) {
    case "accepted":
      return readDecision(question, elicited.content, cancel);
    case "decided":
      return decide(question, elicited.decision, cancel);
    case "declined":
      return refusalOf(question);
    case "cancelled":
      return { type: "denied", reason: "The person gave no answer." };
    case "unreadable":
      return unreadable;
  }
}

const unreadable: Answer = { type: "denied", reason: "The client's answer is none that is known: it counts as a no." };

/** Of a form nothing but what it asked for: another field may mean a limit that we would not keep. */
function readDecision(
  question: ApprovalQuestion,
  content: Readonly<Record<string, unknown>>,
  cancel: () => void,
): Answer {
  const { decision = "approve", ...rest } = content;
  return typeof decision === "string" && Object.keys(rest).length === 0
    ? decide(question, decision, cancel)
    : unreadable;
}

function decide(question: ApprovalQuestion, decision: string, cancel: () => void): Answer {
  switch (decision) {
    case "approve":
    case "approved":
      return { type: "approved.once" };
    case "approve_for_thread":
    case "approved_for_session":
      return { type: "approved.thread" };
    case "approve_always":
      return toRule(question);
    case "deny":
    case "denied":
      return refusalOf(question);
    case "abort":
      cancel();
      return refusalOf(question);
    default:
      return unreadable;
  }
}

/** Where none was offered, nobody has seen what it would allow. */
function toRule(question: ApprovalQuestion): Answer {
  const prefix = question.type === "command.approval" ? question.proposedPrefix : null;
  return prefix === null ? unreadable : { type: "approved.always", prefix };
}

/** The person's own words go before what they chose. */
function toChoices(asked: ModelQuestions, elicited: Elicited): Answer {
  if (elicited.type !== "accepted") return refusalOf(asked);
  const { content } = elicited;
  const answers = asked.questions.flatMap(({ id }) => {
    const said = [content[`${id}_other`], content[id]].find((each) => typeof each === "string" && each.trim() !== "");
    return typeof said === "string" ? [[id, [said]] as const] : [];
  });
  return answers.length === 0 ? refusalOf(asked) : { type: "answered", answers: Object.fromEntries(answers) };
}

/** A field that was left empty may be missing or null; with a value that no form gives, nothing of it counts. */
function toFilled(form: FormQuestion, elicited: Elicited): Answer {
  if (elicited.type === "declined") return { type: "declined" };
  if (elicited.type !== "accepted") return refusalOf(form);
  const values: [string, FormValue][] = [];
  for (const { name } of form.fields) {
    const value = elicited.content[name] ?? null;
    if (value === null) continue;
    if (!isFormValue(value)) return refusalOf(form);
    values.push([name, value]);
  }
  return { type: "accepted", values: Object.fromEntries(values) };
}

function isFormValue(value: unknown): value is FormValue {
  if (Array.isArray(value)) return value.every((each) => typeof each === "string");
  return ["string", "number", "boolean"].includes(typeof value);
}
