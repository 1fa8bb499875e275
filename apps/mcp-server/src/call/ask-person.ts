import { type Answer, type ApprovalQuestion, type FormQuestion, type Question, refusalOf } from "@unroll/protocol";
import { readChoices, readForm } from "@unroll/thread-host";
import type { Elicited } from "./parse-elicited.ts";
import { findDecision, toApprovalForm, toQuestionForm } from "./to-form.ts";
import type { ToolCall } from "./tool-call.ts";

/** The call whose turn asks. */
interface Asking {
  readonly call: ToolCall;
  /** Ends the turn. */
  readonly cancel: () => void;
  /** Aborts when the answer is no longer wanted. */
  readonly signal: AbortSignal;
}

/** Asks the user of the client, by elicitation. Null: there was no answer. */
export async function askPerson(question: Question, { call, cancel, signal }: Asking): Promise<Answer | null> {
  switch (question.type) {
    case "command.approval":
    case "patch.approval":
    case "tool.approval":
    case "host.approval":
      return toDecision(question, await call.ask(toApprovalForm(question), signal), cancel);
    case "model.questions": {
      const elicited = await call.ask(toQuestionForm(question), signal);
      return readChoices(question, elicited.type === "accepted" ? elicited.content : null);
    }
    case "server.form":
      return toFormAnswer(question, await call.ask(toQuestionForm(question), signal));
    case "prefix.break":
      return null;
  }
}

const unreadable: Answer = {
  type: "denied",
  reason: "The client's answer is not one of those offered, so the request is denied.",
};

/** An answer without content approves this call. Any answer that was not offered denies it, with that reason. */
function toDecision(question: ApprovalQuestion, elicited: Elicited, cancel: () => void): Answer {
  switch (elicited.type) {
    case "accepted": {
      const { decision = "approve", ...rest } = elicited.content;
      // another field may mean a limit that we would not keep
      return Object.keys(rest).length === 0 ? decide(question, decision, cancel) : unreadable;
    }
    case "decided":
      return decide(question, elicited.decision, cancel);
    case "declined":
      return refusalOf(question);
    case "cancelled":
      return { type: "denied", reason: "The user gave no answer." };
    case "unreadable":
      return unreadable;
  }
}

function decide(question: ApprovalQuestion, word: unknown, cancel: () => void): Answer {
  if (word === "abort") cancel();
  return (typeof word === "string" ? findDecision(question, word) : null) ?? unreadable;
}

function toFormAnswer(form: FormQuestion, elicited: Elicited): Answer {
  if (elicited.type === "accepted") return readForm(form, elicited.content);
  return elicited.type === "declined" ? { type: "declined" } : refusalOf(form);
}
