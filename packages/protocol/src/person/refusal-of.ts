import type { Answer, ApprovalDecision, ChoiceAnswer, FormAnswer } from "./answer.ts";
import type { ApprovalQuestion, FormQuestion, ModelQuestions, PrefixQuestion, Question } from "./question.ts";

/**
 * The denial of a question without an answer: the person left, is gone, or replied something else.
 * It has no reason.
 */
export function refusalOf(question: ApprovalQuestion | PrefixQuestion): ApprovalDecision;
export function refusalOf(question: ModelQuestions): ChoiceAnswer;
export function refusalOf(question: FormQuestion): FormAnswer;
export function refusalOf(question: Question): Answer;
export function refusalOf({ type }: Question): Answer {
  switch (type) {
    case "command.approval":
    case "patch.approval":
    case "tool.approval":
    case "host.approval":
    case "prefix.break":
      return { type: "denied", reason: null };
    case "model.questions":
      return { type: "dismissed" };
    case "server.form":
      return { type: "cancelled" };
  }
}
