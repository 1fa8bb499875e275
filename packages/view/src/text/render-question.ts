import { toShownText } from "@unroll/text";
import type { QuestionCell } from "../thread/cell.ts";
import type { TextStyle } from "./text-style.ts";

/** A question that you are asked; `renderAnswer` goes below it. */
export function renderQuestion(cell: Pick<QuestionCell, "question" | "reason">, style: TextStyle): string {
  return `${style("cyan", `? asked about ${subjects[cell.question]}:`)} ${toShownText(cell.reason)}`;
}

/** The question and its answer in one line, without the reason. */
export function summarizeQuestion(cell: Pick<QuestionCell, "question" | "state">): string {
  return `? asked about ${subjects[cell.question]}: ${describeState(cell)}`;
}

/** Your answer, or the lack of one. */
export function renderAnswer(cell: Pick<QuestionCell, "question" | "state">, style: TextStyle): string {
  return style("dim", `  ${cell.state.type === "answered" ? "answer: " : ""}${describeState(cell)}`);
}

function describeState({ question, state }: Pick<QuestionCell, "question" | "state">): string {
  switch (state.type) {
    case "open":
      return "no answer yet";
    case "answered":
      return answers[state.answer];
    case "withdrawn":
      return `no answer: the ${question === "host.approval" ? "command" : "turn"} ended`;
  }
}

const subjects: Readonly<Record<QuestionCell["question"], string>> = {
  "command.approval": "a command",
  "patch.approval": "a patch",
  "tool.approval": "a tool",
  "host.approval": "a host",
  "prefix.break": "resending the whole thread",
  "model.questions": "a choice",
  "server.form": "a form",
};

const answers: Readonly<Record<Extract<QuestionCell["state"], { type: "answered" }>["answer"], string>> = {
  "approved.once": "yes",
  "approved.thread": "yes, for this thread",
  "approved.edits": "yes, all edits in this thread",
  "approved.hosts": "yes, always",
  "approved.always": "yes, always",
  postponed: "later",
  denied: "no",
  answered: "answered",
  dismissed: "not answered",
  accepted: "answered",
  declined: "no",
  cancelled: "not answered",
  invalid: "not understood, so denied",
};
