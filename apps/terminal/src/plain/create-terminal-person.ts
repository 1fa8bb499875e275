import type { Answer, Person, Question } from "@unroll/protocol";
import { askApproval } from "./dialog/ask-approval.ts";
import { askBreak } from "./dialog/ask-break.ts";
import { askChoice } from "./dialog/ask-choice.ts";
import { fillForm } from "./dialog/fill-form.ts";
import type { Terminal } from "./terminal.ts";

/**
 * The person at the terminal. One question at a time, in the order in which they came; what is asked is shown whole, and
 * only what is typed after that counts. Leaving a question (^C, ^D) is a no.
 */
export function createTerminalPerson(terminal: Terminal): Person {
  return {
    async answer(question, signal) {
      using _held = await terminal.hold(signal);
      const answer = await ask(terminal, question, signal);
      signal.throwIfAborted();
      return answer;
    },
  };
}

function ask(terminal: Terminal, question: Question, signal: AbortSignal): Promise<Answer> {
  switch (question.type) {
    case "command.approval":
    case "patch.approval":
    case "tool.approval":
      return askApproval(terminal, question, signal);
    case "prefix.break":
      return askBreak(terminal, question, signal);
    case "model.questions":
      return askChoice(terminal, question, signal);
    case "server.form":
      return fillForm(terminal, question, signal);
  }
}
