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

/** A plain yes is one for this call. */
function toDecision(question: ApprovalQuestion, { action, content, decision }: Elicited, cancel: () => void): Answer {
  if (action === "cancel") return { type: "denied", reason: "The person gave no answer." };
  if (action === "decline") return refusalOf(question);
  const said = decision ?? content["decision"] ?? (action === "accept" ? "approve" : "deny");
  switch (said) {
    case "approve":
    case "approved":
      return { type: "approved.once" };
    case "approve_for_thread":
    case "approved_for_session":
      return { type: "approved.thread" };
    case "approve_always":
      return toRule(question);
    case "abort":
      cancel();
      return refusalOf(question);
    default:
      return refusalOf(question);
  }
}

function toRule(question: ApprovalQuestion): Answer {
  const prefix = question.type === "command.approval" ? question.proposedPrefix : null;
  return prefix === null ? { type: "approved.once" } : { type: "approved.always", prefix };
}

/** The person's own words go before what they chose. */
function toChoices(asked: ModelQuestions, { action, content }: Elicited): Answer {
  if (action !== "accept") return refusalOf(asked);
  const answers = asked.questions.flatMap(({ id }) => {
    const said = [content[`${id}_other`], content[id]].find((each) => typeof each === "string" && each.trim() !== "");
    return typeof said === "string" ? [[id, [said]] as const] : [];
  });
  return answers.length === 0 ? refusalOf(asked) : { type: "answered", answers: Object.fromEntries(answers) };
}

function toFilled(form: FormQuestion, { action, content }: Elicited): Answer {
  if (action === "decline") return { type: "declined" };
  if (action !== "accept") return refusalOf(form);
  const values = form.fields.flatMap(({ name }) => {
    const value = content[name];
    return isFormValue(value) ? [[name, value] as const] : [];
  });
  return { type: "accepted", values: Object.fromEntries(values) };
}

function isFormValue(value: unknown): value is FormValue {
  if (Array.isArray(value)) return value.every((each) => typeof each === "string");
  return ["string", "number", "boolean"].includes(typeof value);
}
